// The promises of strata/runtime.h, restated in arithmetic that does not overflow.
#include <algorithm>

#include "tests/error/broken_calls.h"

namespace strata::test {

namespace {

__extension__ using Wide = __int128;
using Box = std::vector<Interval>;

constexpr Wide addresses = Wide{1} << 64;
constexpr Wide farthest = Wide{1} << 62;

Wide size_of(const ArgumentFacts& facts) { return (facts.type.bits + 7) / 8; }

Wide magnitude(Wide x) { return x < 0 ? -x : x; }

bool is_nothing(const Box& box) {
  return std::any_of(box.begin(), box.end(), [](Interval i) { return i.upper <= i.lower; });
}

const strata_dimension& dimension(const strata_buffer& b, std::size_t rank, std::size_t index) {
  return b.dim[rank - 1 - index];
}

// The addresses of the first and the last byte touched.
struct Span {
  Wide first = 1, last = 0;
};

Span span_of(const Call& call, std::size_t a, const Box& box) {
  const strata_buffer& b = *call.pointers[a];
  if (is_nothing(box)) return {};
  const Wide size = size_of(call.kind().arguments[a]);
  Span span{static_cast<Wide>(reinterpret_cast<std::uintptr_t>(b.host)), 0};
  span.last = span.first + size - 1;
  for (std::size_t n = 0; n < box.size(); ++n) {
    const strata_dimension& d = dimension(b, box.size(), n);
    const Wide at_lower = (Wide{box[n].lower} - d.min) * d.stride * size;
    const Wide at_upper = (Wide{box[n].upper} - 1 - d.min) * d.stride * size;
    span.first += std::min(at_lower, at_upper);
    span.last += std::max(at_lower, at_upper);
  }
  return span;
}

bool is_too_large(const Call& call, std::size_t a, const Box& box) {
  const strata_buffer& b = *call.pointers[a];
  Wide reach = 0;
  for (std::size_t n = 0; n < box.size(); ++n) {
    const strata_dimension& d = dimension(b, box.size(), n);
    const Wide most =
        std::max({magnitude(box[n].lower), magnitude(Wide{box[n].upper} - 1), magnitude(d.min)});
    reach += most * magnitude(d.stride) * size_of(call.kind().arguments[a]);
  }
  const Span span = span_of(call, a, box);
  return reach >= farthest || span.first < 0 || span.last >= addresses;
}

// Do two different elements share a place?  True if some non-zero difference of two indices has
// offset 0.
bool meets_itself(const strata_buffer& b, const Box& box, std::size_t n, Wide offset,
                  bool differs) {
  if (n == box.size()) return differs && offset == 0;
  const std::int64_t most = box[n].upper - 1 - box[n].lower;
  for (std::int64_t step = -most; step <= most; ++step)
    if (meets_itself(b, box, n + 1, offset + Wide{step} * dimension(b, box.size(), n).stride,
                     differs || step != 0))
      return true;
  return false;
}

// Is some dimension's stride, among dimensions with at least two elements, within the span of the
// dimensions with smaller strides?
bool is_folded(const strata_buffer& b, const Box& box) {
  std::vector<std::pair<Wide, Wide>> dimensions;
  for (std::size_t n = 0; n < box.size(); ++n)
    if (const Wide steps = Wide{box[n].upper} - 1 - box[n].lower; steps > 0)
      dimensions.emplace_back(magnitude(dimension(b, box.size(), n).stride), steps);
  std::sort(dimensions.begin(), dimensions.end());
  Wide span = 0;
  for (const auto& [stride, steps] : dimensions) {
    if (stride <= span) return true;
    span += stride * steps;
  }
  const bool is_small = std::all_of(dimensions.begin(), dimensions.end(),
                                    [](const auto& d) { return d.second < 16; });
  if (is_small && meets_itself(b, box, 0, 0, false))
    throw std::logic_error("strides that nest meet");
  return false;
}

void add_faults_of_touched(const Call& call, std::size_t a, const Box& box, std::set<int>& out) {
  const strata_buffer& b = *call.pointers[a];
  for (std::size_t n = 0; n < box.size(); ++n) {
    const strata_dimension& d = dimension(b, box.size(), n);
    if (box[n].lower < d.min || Wide{box[n].upper} > Wide{d.min} + d.extent)
      out.insert(strata_error_out_of_bounds);
  }
  const auto host = static_cast<Wide>(reinterpret_cast<std::uintptr_t>(b.host));
  if (host == 0) out.insert(strata_error_null_host);
  if (host % size_of(call.kind().arguments[a]) != 0) out.insert(strata_error_misaligned);
  if (b.flags & 2) out.insert(strata_error_device_dirty);
  if (is_too_large(call, a, box)) out.insert(strata_error_too_large);
  if (call.kind().arguments[a].written && is_folded(b, box)) out.insert(strata_error_folded);
}

std::set<int> faults_of_buffer(const Call& call, std::size_t a,
                               const std::function<Box()>& touched) {
  const ArgumentFacts& facts = call.kind().arguments[a];
  const strata_buffer* b = call.pointers[a];
  if (!b) return {strata_error_null_buffer};
  std::set<int> out;
  if (b->type.code != facts.type.code || b->type.bits != facts.type.bits || b->type.lanes != 1)
    out.insert(strata_error_wrong_type);
  const std::size_t rank = facts.touched(Numbers(8, 1)).size();
  if (b->dimensions != static_cast<std::int32_t>(rank)) {
    out.insert(strata_error_wrong_rank);
    return out;
  }
  if (rank > 0 && !b->dim) {
    out.insert(strata_error_bad_shape);
    return out;
  }
  for (std::size_t d = 0; d < rank; ++d)
    if (b->dim[d].extent < 0) out.insert(strata_error_bad_shape);
  const Box box = touched();
  if (!is_nothing(box)) add_faults_of_touched(call, a, box, out);
  return out;
}

std::set<int> faults_of_parameters(const Call& call) {
  const Numbers p = call.numbers();
  std::set<int> out;
  // Parameters are either far outside every range for which 64-bit index arithmetic can be proved
  // free of overflow, for kernels whose indices are iterators and small constants, or far inside.
  for (const std::int64_t value : p)
    if (value > INT64_MAX / 4 || value < INT64_MIN / 4) out.insert(strata_error_parameter_range);
  if (!out.empty()) return out;
  if (!call.kind().assumed(p)) return {strata_error_assumption};
  return {};
}

// A loop over a parameter this large is too long, even in vectors.
constexpr std::int64_t too_long = std::int64_t{1} << 36;

std::int64_t largest_parameter(const Call& call) {
  const Numbers p = call.numbers();
  return p.empty() ? 0 : *std::max_element(p.begin(), p.end());
}

bool meet(Span a, Span b) {
  return a.first <= a.last && b.first <= b.last && a.first <= b.last && b.first <= a.last;
}

bool is_inside(const Fenced& memory, Span span) {
  if (span.first > span.last) return true;
  for (std::size_t r = 0; r < memory.regions(); r += 2) {
    const auto begin = static_cast<Wide>(reinterpret_cast<std::uintptr_t>(memory.begin(r)));
    if (span.first >= begin && span.last < begin + static_cast<Wide>(memory.region_size()))
      return true;
  }
  return false;
}

// Two arguments may share one description, with the rank of either.
bool are_lists_long_enough(const Call& call, const Fenced& memory) {
  for (std::size_t a = 0; a < call.kind().arguments.size(); ++a) {
    const strata_buffer* b = call.pointers[a];
    if (!b || !b->dim) continue;
    const auto rank = call.kind().arguments[a].touched(Numbers(8, 1)).size();
    for (std::size_t r = 1; r < memory.regions(); r += 2) {
      const auto* list = reinterpret_cast<const std::uint8_t*>(b->dim);
      if (list > memory.begin(r) && list <= memory.end(r) &&
          b->dimensions == static_cast<std::int32_t>(rank) &&
          list + rank * sizeof(strata_dimension) > memory.end(r))
        return false;
    }
  }
  return true;
}

// Sizes are read first, one by one, each after the checks of its element.
std::optional<std::set<int>> due_of_sizes(const Call& call, const Fenced& memory) {
  for (std::int64_t n = 0; n < 2; ++n) {
    const Box element = {{n, n + 1}};
    const std::set<int> faults = faults_of_buffer(call, 0, [&] { return element; });
    if (!faults.empty()) return faults;
    if (!is_inside(memory, span_of(call, 0, element))) return std::nullopt;
  }
  return std::set<int>();
}

std::set<int> due_of_buffers(const Call& call) {
  const Kind& kind = call.kind();
  for (std::size_t a = kind.sizes_in_first; a < kind.arguments.size(); ++a) {
    const std::set<int> out = faults_of_buffer(call, a, [&] { return call.touched(a); });
    if (!out.empty()) return out;
  }
  // The argument that sizes are read from is not checked for overlap with outputs.
  for (std::size_t a = kind.sizes_in_first; a < kind.arguments.size(); ++a)
    for (std::size_t b = a + 1; b < kind.arguments.size(); ++b)
      if ((kind.arguments[a].written || kind.arguments[b].written) &&
          meet(span_of(call, a, call.touched(a)), span_of(call, b, call.touched(b))))
        return {strata_error_overlap};
  return {};
}

}  // namespace

std::optional<std::set<int>> due(const Call& call, const Fenced& memory) {
  const Kind& kind = call.kind();
  if (!are_lists_long_enough(call, memory)) return std::nullopt;
  if (kind.sizes_in_first) {
    const auto faults = due_of_sizes(call, memory);
    if (!faults || !faults->empty()) return faults;
  }
  std::set<int> out = faults_of_parameters(call);
  if (!out.empty()) return out;
  const std::int64_t largest = largest_parameter(call);
  if (largest >= too_long && kind.runs(call.numbers())) return {{strata_error_loop_too_long}};
  out = due_of_buffers(call);
  if (out.empty()) {
    for (std::size_t a = kind.sizes_in_first; a < kind.arguments.size(); ++a)
      if (!is_inside(memory, span_of(call, a, call.touched(a)))) return std::nullopt;
    // The check may or may not count loops that are never reached.
    if (largest > INT32_MAX) out.insert(strata_success);
  }
  if (largest > INT32_MAX) out.insert(strata_error_loop_too_long);
  return out;
}

}  // namespace strata::test
