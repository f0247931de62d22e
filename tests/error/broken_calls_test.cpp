// Random calls of kernels, most of them broken in one to three ways: each must return a permitted
// code, and a broken call must touch nothing. Memory that must not be touched is inaccessible:
// touching it is a segmentation fault.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>

#include "tests/error/broken_calls.h"

namespace strata::test::broken_calls_test {

namespace {

constexpr int calls_of_kind = 4000;

class Breaker {
 public:
  Breaker(Call& call, std::mt19937& g) : call_(call), g_(g) {}

  // Breaks the call in a random way; returns the name of that way.
  std::string break_something() {
    using Act = void (Breaker::*)();
    static const std::pair<const char*, Act> ways[] = {{"pointer", &Breaker::pointer},
                                                       {"host", &Breaker::host},
                                                       {"type", &Breaker::type},
                                                       {"rank", &Breaker::rank},
                                                       {"list", &Breaker::list},
                                                       {"extent", &Breaker::extent},
                                                       {"min", &Breaker::min},
                                                       {"stride", &Breaker::stride},
                                                       {"flags", &Breaker::flags},
                                                       {"device", &Breaker::device},
                                                       {"alias", &Breaker::alias},
                                                       {"far", &Breaker::far},
                                                       {"parameter", &Breaker::parameter}};
    const auto& [name, act] = ways[below(std::size(ways))];
    argument_ = below(call_.kind().arguments.size());
    (this->*act)();
    return name;
  }

 private:
  std::size_t below(std::size_t bound) { return g_() % bound; }
  template <typename T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }
  strata_buffer& buffer() { return call_.buffer(argument_); }
  // A random dimension of the argument as it was made, if it has any.
  strata_dimension* dimension() {
    const std::size_t rank = call_.kind().arguments[argument_].touched(Numbers(8, 1)).size();
    if (rank == 0 || !buffer().dim) return nullptr;
    return buffer().dim + below(rank);
  }
  // Moves with wrap-around.
  static std::uint8_t* moved(std::uint8_t* p, int bytes) {
    return reinterpret_cast<std::uint8_t*>(reinterpret_cast<std::uintptr_t>(p) +
                                           static_cast<std::uintptr_t>(bytes));
  }
  static std::int32_t narrow(std::int64_t value) { return static_cast<std::int32_t>(value); }
  std::int32_t any32() {
    return one_of<std::int32_t>({0, 1, -1, 2, -2, 3, 5, 7, 16, INT32_MAX, INT32_MIN, INT32_MAX - 1,
                                 INT32_MIN + 1, static_cast<std::int32_t>(g_())});
  }

  void pointer() {
    const std::size_t other = below(call_.kind().arguments.size());
    call_.pointers[argument_] = below(2) ? nullptr : call_.pointers[other];
  }
  void host() {
    std::uint8_t*& host = buffer().host;
    switch (below(4)) {
      case 0: host = nullptr; break;
      case 1: host = moved(host, one_of({1, 2, 3, 4, 6, -1, -2, 9})); break;
      case 2: host = reinterpret_cast<std::uint8_t*>(UINTPTR_MAX - below(64)); break;
      case 3: host = reinterpret_cast<std::uint8_t*>(1 + below(64)); break;
    }
  }
  void type() {
    strata_type& type = buffer().type;
    switch (below(3)) {
      case 0: type.code = static_cast<std::uint8_t>(below(6)); break;
      case 1: type.bits = one_of<std::uint8_t>({0, 1, 8, 16, 32, 64, 128, 255}); break;
      case 2: type.lanes = one_of<std::uint16_t>({0, 1, 2, 8, 65535}); break;
    }
  }
  void rank() {
    std::int32_t& rank = buffer().dimensions;
    rank = one_of<std::int32_t>({narrow(std::int64_t{rank} + 1), narrow(std::int64_t{rank} - 1), 0,
                                 -1, 1, 32, 33, any32()});
  }
  void list() { buffer().dim = nullptr; }
  void extent() {
    if (strata_dimension* d = dimension())
      d->extent =
          one_of<std::int32_t>({narrow(std::int64_t{d->extent} - 1),
                                narrow(std::int64_t{d->extent} + 1), d->extent / 2, any32()});
  }
  void min() {
    if (strata_dimension* d = dimension())
      d->min =
          one_of<std::int32_t>({narrow(std::int64_t{d->min} - 1), narrow(std::int64_t{d->min} + 1),
                                narrow(-std::int64_t{d->min}), any32()});
  }
  void stride() {
    if (strata_dimension* d = dimension())
      d->stride = one_of<std::int32_t>(
          {-(d->stride / 2), d->stride / 2, narrow(std::int64_t{d->stride} - 1), any32()});
  }
  void flags() { buffer().flags = one_of<std::uint64_t>({0, 1, 2, 3, 4, ~std::uint64_t{0}, g_()}); }
  void device() {
    buffer().device = g_();
    buffer().device_interface = &buffer();
  }
  void alias() {
    std::uint8_t* const other = call_.buffer(below(call_.kind().arguments.size())).host;
    buffer().host = moved(other, 8 * static_cast<int>(below(17)) - 64);
  }
  // Bounds that contain the touched elements, but so distant that the places have no address.
  void far() {
    if (strata_dimension* d = dimension()) {
      d->min = INT32_MIN + 300;
      d->extent = INT32_MAX;
      d->stride = one_of<std::int32_t>({INT32_MAX, INT32_MIN, 1 << 30, -(1 << 20), 1, 0});
    }
  }
  void parameter() {
    if (call_.parameters.empty()) return;
    call_.parameters[below(call_.parameters.size())] = one_of<std::int64_t>(
        {INT64_MAX, INT64_MIN, INT64_MAX - 1, std::int64_t{1} << 62, std::int64_t{1} << 40,
         std::int64_t{3} << 31, 0, -1, -2, 1, 3, 7, 8, -(std::int64_t{1} << 40)});
  }

  Call& call_;
  std::mt19937& g_;
  std::size_t argument_ = 0;
};

// If sizes are read, all elements stay readable: any argument may share memory with the first.
void protect(Fenced& memory, const Kind& kind, int elements, int descriptions) {
  for (std::size_t a = 0; a < kind.arguments.size(); ++a) {
    memory.allow(2 * a, kind.sizes_in_first ? elements | PROT_READ : elements);
    memory.allow(2 * a + 1, descriptions);
  }
}

// All indices in a box, in lexicographic order.
std::vector<Numbers> indices_in(const std::vector<Interval>& box) {
  std::vector<Numbers> out = {{}};
  for (const Interval& i : box) {
    std::vector<Numbers> longer;
    for (const Numbers& index : out)
      for (std::int64_t n = i.lower; n < i.upper; ++n) {
        longer.push_back(index);
        longer.back().push_back(n);
      }
    out = longer;
  }
  return out;
}

// A valid call returns 0, computes the output, and changes nothing else.
void require_result(const Call& call, const Fenced& memory) {
  const Kind& kind = call.kind();
  const std::vector<Numbers> indices = indices_in(call.touched(kind.output));
  std::vector<std::vector<std::uint8_t>> expected;
  for (std::size_t a = 0; a < kind.arguments.size(); ++a)
    expected.emplace_back(memory.begin(2 * a), memory.end(2 * a));
  for (const Numbers& index : indices) {
    const std::uint64_t bits = kind.value(call, index);
    const std::uint8_t* place = call.place(kind.output, index);
    for (std::size_t r = 0; r < expected.size(); ++r)
      if (place >= memory.begin(2 * r) && place < memory.end(2 * r))
        std::memcpy(&expected[r][static_cast<std::size_t>(place - memory.begin(2 * r))], &bits,
                    (kind.arguments[kind.output].type.bits + 7u) / 8u);
  }
  REQUIRE(call.make() == strata_success);
  for (std::size_t a = 0; a < kind.arguments.size(); ++a)
    REQUIRE(std::memcmp(memory.begin(2 * a), expected[a].data(), expected[a].size()) == 0);
}

unsigned seed() {
  const char* text = std::getenv("STRATA_TEST_SEED");
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 1;
}

// How often each code was due, alone or with others, and how many calls were skipped.
struct Counts {
  std::map<int, int> codes;
  int calls = 0, not_made = 0;
};

void make_one(const Kind& kind, Fenced& memory, std::mt19937& g, Counts& counts) {
  Call call(kind, memory, g);
  Breaker breaker(call, g);
  std::string ways;
  for (auto n = g() % 4; n > 0; --n) ways += " " + breaker.break_something();
  const auto codes = due(call, memory);
  ++(codes ? counts.calls : counts.not_made);
  if (!codes) return;
  CAPTURE(kind.name, ways, call.parameters);
  if (codes->empty()) {
    ++counts.codes[0];
    protect(memory, kind, PROT_READ | PROT_WRITE, PROT_READ);
    require_result(call, memory);
  } else {
    protect(memory, kind, PROT_NONE, PROT_READ);
    const int code = call.make();
    const std::string message = strata_last_error();
    CAPTURE(*codes, message);
    REQUIRE(codes->count(code) == 1);
    if (code != strata_success) REQUIRE(message.rfind(kind.name + ": ", 0) == 0);
    ++counts.codes[code];
  }
}

}  // namespace

TEST_CASE("tens of thousands of random calls return what is due and touch nothing else",
          "[halide]") {
  Counts counts;
  std::mt19937 g(seed());
  for (const Kind& kind : kinds_of_kernels()) {
    Fenced memory(2 * kind.arguments.size(), 24);
    for (int n = 0; n < calls_of_kind; ++n) {
      CAPTURE(seed(), n);
      make_one(kind, memory, g, counts);
      protect(memory, kind, PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE);
    }
  }
  std::cout << "seed=" << seed() << " calls=" << counts.calls << " not_made=" << counts.not_made;
  for (const auto& [code, times] : counts.codes) std::cout << " [" << code << "]=" << times;
  std::cout << '\n';
  CHECK(counts.calls - counts.codes[0] >= 10000);
  for (const int code :
       {strata_success, strata_error_parameter_range, strata_error_assumption,
        strata_error_loop_too_long, strata_error_null_buffer, strata_error_wrong_type,
        strata_error_wrong_rank, strata_error_bad_shape, strata_error_too_large,
        strata_error_out_of_bounds, strata_error_null_host, strata_error_misaligned,
        strata_error_device_dirty, strata_error_overlap, strata_error_folded}) {
    CAPTURE(code);
    CHECK(counts.codes[code] >= 20);
  }
}

}  // namespace strata::test::broken_calls_test
