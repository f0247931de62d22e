#include "tests/error/broken_calls.h"

#include <algorithm>
#include <cstring>

namespace strata::test {

namespace {

std::int64_t below(std::mt19937& g, std::int64_t bound) {
  return static_cast<std::int64_t>(g() % static_cast<std::uint64_t>(bound));
}

std::size_t size_of(strata_type type) { return (type.bits + 7u) / 8u; }

}  // namespace

// Region 2a of the memory has the elements of argument a, region 2a + 1 its buffer description.
Call::Call(const Kind& kind, Fenced& memory, std::mt19937& g) : kind_(kind), memory_(memory) {
  parameters = kind.draw(g);
  for (std::size_t a = 0; a < kind.arguments.size(); ++a) {
    lay_out(a, g);
    fill(a, g);
  }
  if (kind.sizes_in_first) {
    for (std::size_t n = 0; n < parameters.size(); ++n) {
      const auto value = static_cast<std::int32_t>(parameters[n]);
      std::memcpy(const_cast<std::uint8_t*>(place(0, {static_cast<std::int64_t>(n)})), &value,
                  sizeof value);
    }
    parameters.clear();
  }
}

// Random order of dimensions, signs, gaps and margins; the elements that the kernel touches are at
// the beginning or the end of the region, apart from the margins.
void Call::lay_out(std::size_t a, std::mt19937& g) {
  const ArgumentFacts& facts = kind_.arguments[a];
  std::vector<Interval> box = facts.touched(parameters);
  const std::size_t rank = box.size();
  auto* dims = reinterpret_cast<strata_dimension*>(memory_.end(2 * a + 1)) - rank;
  auto* b = new (memory_.begin(2 * a + 1)) strata_buffer{};
  buffers_.push_back(b);
  pointers.push_back(b);
  b->type = facts.type;
  b->dimensions = static_cast<std::int32_t>(rank);
  b->dim = dims;
  std::vector<std::size_t> order(rank);
  for (std::size_t d = 0; d < rank; ++d) order[d] = d;
  if (below(g, 3) == 0) std::shuffle(order.begin(), order.end(), g);
  std::int64_t stride = 1 + (below(g, 4) == 0), lowest = 0, highest = 0;
  for (const std::size_t d : order) {
    const Interval i = box[rank - 1 - d];
    const std::int64_t below_it = below(g, 2), above = below(g, 2);
    const std::int64_t length = std::max<std::int64_t>(i.upper - i.lower, 0) + below_it + above;
    const bool down = below(g, 5) == 0;
    dims[d] = {static_cast<std::int32_t>(i.lower - below_it), static_cast<std::int32_t>(length),
               static_cast<std::int32_t>(down ? -stride : stride), 0};
    const std::int64_t span = std::max<std::int64_t>(length - 1, 0) * stride;
    (down ? lowest : highest) += span;
    stride += span + (below(g, 3) == 0);
  }
  const auto bytes = static_cast<std::int64_t>(size_of(facts.type));
  if ((lowest + highest + 1) * bytes > static_cast<std::int64_t>(memory_.region_size()))
    throw std::runtime_error("the region is too small");
  b->host = below(g, 2) ? memory_.begin(2 * a) + lowest * bytes
                        : memory_.end(2 * a) - (highest + 1) * bytes;
}

void Call::fill(std::size_t a, std::mt19937& g) {
  std::uint8_t* const begin = memory_.begin(2 * a);
  std::uint8_t noise[64];
  for (std::uint8_t& byte : noise)
    byte = static_cast<std::uint8_t>(kind_.most_element ? below(g, kind_.most_element) : g() & 63);
  for (std::size_t at = 0; at < memory_.region_size(); at += sizeof noise)
    std::memcpy(begin + at, noise, sizeof noise);
}

strata_dimension& Call::dimension(std::size_t a, std::size_t index) {
  strata_buffer& b = *buffers_[a];
  return b.dim[static_cast<std::size_t>(b.dimensions) - 1 - index];
}

const std::uint8_t* Call::place(std::size_t a, const Numbers& index) const {
  const strata_buffer& b = *pointers[a];
  std::int64_t offset = 0;
  for (std::size_t n = 0; n < index.size(); ++n) {
    const strata_dimension& d = b.dim[index.size() - 1 - n];
    offset += (index[n] - d.min) * d.stride;
  }
  return b.host + offset * static_cast<std::int64_t>(size_of(kind_.arguments[a].type));
}

std::uint64_t Call::element(std::size_t a, const Numbers& index) const {
  std::uint64_t bits = 0;
  std::memcpy(&bits, place(a, index), size_of(kind_.arguments[a].type));
  return bits;
}

Numbers Call::numbers() const {
  if (!kind_.sizes_in_first) return parameters;
  Numbers out;
  for (std::int64_t n = 0; n < 2; ++n)
    out.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(element(0, {n}))));
  return out;
}

std::vector<Interval> Call::touched(std::size_t a) const {
  const Numbers p = numbers();
  std::vector<Interval> box = kind_.arguments[a].touched(p);
  const auto is_empty = [](Interval i) { return i.upper <= i.lower; };
  const bool always = box.empty();
  if (!always && (!kind_.runs(p) || std::any_of(box.begin(), box.end(), is_empty)))
    for (Interval& i : box) i = {0, 0};
  return box;
}

int Call::make() const {
  std::vector<halide_buffer_t*> list;
  for (strata_buffer* b : pointers) list.push_back(b ? strata_argument(b) : nullptr);
  return kind_.kernel(parameters, list);
}

}  // namespace strata::test
