// Masked loads and stores: lanes that are off, and vectors of which native ones leave one lane.
#include <catch2/catch.hpp>

#include "tests/unit/entry/kernels.h"

namespace strata::test::masked_lanes_test {

namespace {

constexpr std::int64_t size = 70;

// for i in 0 .. lanes, as a vector: out[i] = the value
Kernel in_lanes(std::int64_t lanes, const Expr& value, Type from, Type to) {
  return kernel(
      "lanes", {},
      {argument("flag", i32, Access::read, {n(size)}), argument("a", from, Access::read, {n(size)}),
       argument("out", to, Access::written, {n(size)})},
      loop("i", n(0), n(lanes), store("out", {v("i")}, value), Processor::vector), Floats::exact);
}

template <typename From>
void check(std::int64_t lanes, Type from) {
  INFO(lanes << " lanes of " << to_string(from));
  const Expr i = v("i");
  const Expr chosen = select(load("flag", i32, {i}) > constant(i32, 0),
                             cast(i32, load("a", from, {i})), constant(i32, -1));
  const JitKernel k(in_lanes(lanes, chosen, from, i32));
  Array<std::int32_t> flag({size}), out({size}, 7);
  Array<From> a({size});
  for (std::int64_t x = 0; x < size; ++x) flag(x) = int(x * 5 % 7) - 3, a(x) = From(x);
  REQUIRE(k.call({}, {flag, a, out}) == 0);
  for (std::int64_t x = 0; x < size; ++x) CHECK(out(x) == (x >= lanes ? 7 : flag(x) > 0 ? x : -1));
}

}  // namespace

TEST_CASE("masked loads in 2 to 35 lanes of every size", "[halide][vectors]") {
  for (std::int64_t lanes = 2; lanes <= 35; ++lanes) {
    check<double>(lanes, f64);
    check<float>(lanes, f32);
    check<std::int16_t>(lanes, i16);
    check<std::int8_t>(lanes, i8);
  }
}

// The last native vectors read nothing, so LLVM may take what they have loaded for anything.
TEST_CASE("a condition on what lanes that are off have not loaded", "[halide][vectors]") {
  for (const std::int64_t lanes : {8, 22, 24, 32}) {
    const Expr i = v("i");
    const Expr deeper = select(load("flag", i32, {i}) > constant(i32, 0),
                               cast(f64, load("a", i16, {i})), constant(f64, 1));
    const Expr value = select(i >= n(3) && i < n(5), deeper, constant(f64, 1));
    const JitKernel k(in_lanes(lanes, value, i16, f64));
    Array<std::int32_t> flag({size}, 1);
    Array<std::int16_t> a({size}, 40);
    Array<double> out({size}, 7);
    REQUIRE(k.call({}, {flag, a, out}) == 0);
    for (std::int64_t x = 0; x < lanes; ++x) CHECK(out(x) == (x == 3 || x == 4 ? 40 : 1));
  }
}

}  // namespace strata::test::masked_lanes_test
