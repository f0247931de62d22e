// Every operator compared with results computed by hand from its definition.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "reference/inputs.h"
#include "reference/scalar.h"

namespace strata::test::scalar_test {

using reference::apply;
using reference::integer_of;
using reference::integer_scalar;
using reference::real_of;
using reference::real_scalar;
using reference::Scalar;

namespace {

std::int64_t on(Op op, Type type, std::int64_t a, std::int64_t b) {
  return std::int64_t(
      integer_of(apply(op, type, {integer_scalar(type, a), integer_scalar(type, b)})));
}

std::int64_t on(Op op, Type type, std::int64_t a) {
  return std::int64_t(integer_of(apply(op, type, {integer_scalar(type, a)})));
}

double real_on(Op op, Type type, double a, double b) {
  return real_of(apply(op, type, {real_scalar(type, a), real_scalar(type, b)}));
}

double real_on(Op op, Type type, double a) {
  return real_of(apply(op, type, {real_scalar(type, a)}));
}

bool true_of(Op op, const Scalar& a, const Scalar& b) {
  return apply(op, boolean, {a, b}).bits == 1;
}

std::int64_t to_integer(Type to, const Scalar& a) {
  return std::int64_t(integer_of(reference::cast_to(to, a)));
}

const double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("integers wrap modulo 2^bits", "[judge][scalar]") {
  CHECK(on(Op::add, u8, 200, 100) == 44);
  CHECK(on(Op::add, i8, 127, 1) == -128);
  CHECK(on(Op::sub, u16, 0, 1) == 65535);
  CHECK(on(Op::sub, i32, INT32_MIN, 1) == INT32_MAX);
  CHECK(on(Op::mul, i32, 65536, 65536) == 0);
  CHECK(on(Op::mul, u8, 16, 17) == 16);
  CHECK(on(Op::mul, i64, INT64_MAX, 2) == -2);
  CHECK(on(Op::mul, i16, -300, 300) == -24464);
  CHECK(on(Op::add, i64, INT64_MAX, 1) == INT64_MIN);
  CHECK(on(Op::negate, i8, -128) == -128);
  CHECK(on(Op::negate, u8, 1) == 255);
  CHECK(on(Op::abs, i8, -5) == 5);
  CHECK(on(Op::abs, i8, -128) == -128);
  CHECK(on(Op::bit_not, u8, 0x0f) == 0xf0);
  CHECK(on(Op::bit_not, i32, 0) == -1);
}

TEST_CASE("division and remainder floor, and by zero give zero", "[judge][scalar]") {
  CHECK(on(Op::div, i32, 7, 2) == 3);
  CHECK(on(Op::div, i32, -7, 2) == -4);
  CHECK(on(Op::div, i32, 7, -2) == -4);
  CHECK(on(Op::div, i32, -7, -2) == 3);
  CHECK(on(Op::div, i32, -8, 2) == -4);
  CHECK(on(Op::mod, i32, 7, 3) == 1);
  CHECK(on(Op::mod, i32, -7, 3) == 2);
  CHECK(on(Op::mod, i32, 7, -3) == -2);
  CHECK(on(Op::mod, i32, -7, -3) == -1);
  CHECK(on(Op::div, i32, 5, 0) == 0);
  CHECK(on(Op::mod, i32, 5, 0) == 0);
  CHECK(on(Op::div, i8, -128, -1) == -128);
  CHECK(on(Op::mod, i64, INT64_MIN, -1) == 0);
  CHECK(on(Op::div, u64, -1, 2) == INT64_MAX);
}

TEST_CASE("shifts out of range give nothing but the sign", "[judge][scalar]") {
  CHECK(on(Op::shift_left, i32, 3, 4) == 48);
  CHECK(on(Op::shift_left, i8, 1, 7) == -128);
  CHECK(on(Op::shift_left, u8, 3, 8) == 0);
  CHECK(on(Op::shift_left, i32, 3, -1) == 0);
  CHECK(on(Op::shift_left, i64, -1, 63) == INT64_MIN);
  CHECK(on(Op::shift_right, i32, 37, 3) == 4);
  CHECK(on(Op::shift_right, i32, -1, 31) == -1);
  CHECK(on(Op::shift_right, i32, -5, 1) == -3);
  CHECK(on(Op::shift_right, i32, -5, 32) == -1);
  CHECK(on(Op::shift_right, i32, -5, -1) == -1);
  CHECK(on(Op::shift_right, i32, 5, 32) == 0);
  CHECK(on(Op::shift_right, u8, 0x80, 7) == 1);
}

TEST_CASE("bits, truth and comparisons", "[judge][scalar]") {
  CHECK(on(Op::bit_and, u8, 12, 10) == 8);
  CHECK(on(Op::bit_or, u8, 12, 10) == 14);
  CHECK(on(Op::bit_xor, i8, -1, 10) == -11);
  const Scalar yes = reference::truth(true), no = reference::truth(false);
  CHECK(true_of(Op::logical_and, yes, yes));
  CHECK_FALSE(true_of(Op::logical_and, yes, no));
  CHECK(true_of(Op::logical_or, no, yes));
  CHECK_FALSE(true_of(Op::logical_or, no, no));
  CHECK(apply(Op::logical_not, boolean, {no}).bits == 1);
  CHECK(true_of(Op::ne, yes, no));
  const auto u = [](int x) { return integer_scalar(u8, x); };
  const auto s = [](int x) { return integer_scalar(i8, x); };
  CHECK(true_of(Op::lt, s(-1), s(0)));
  CHECK(true_of(Op::gt, u(255), u(0)));
  CHECK(true_of(Op::le, s(4), s(4)));
  CHECK_FALSE(true_of(Op::ge, s(3), s(4)));
  CHECK(true_of(Op::eq, u(3), u(3)));
  const Scalar nan = real_scalar(f32, not_a_number), one = real_scalar(f32, 1);
  for (Op op : {Op::eq, Op::lt, Op::le, Op::gt, Op::ge}) CHECK_FALSE(true_of(op, nan, one));
  CHECK(true_of(Op::ne, nan, nan));
  CHECK(true_of(Op::eq, real_scalar(f32, 0.0), real_scalar(f32, -0.0)));
}

TEST_CASE("min and max give the second operand where one is NaN", "[judge][scalar]") {
  CHECK(on(Op::min, i8, -3, 2) == -3);
  CHECK(on(Op::max, u8, 200, 100) == 200);
  CHECK(real_on(Op::min, f32, not_a_number, 2) == 2);
  CHECK(std::isnan(real_on(Op::min, f32, 2, not_a_number)));
  CHECK(real_on(Op::max, f64, not_a_number, 2) == 2);
  CHECK(std::isnan(real_on(Op::max, f64, 2, not_a_number)));
}

TEST_CASE("floats round once in their own precision", "[judge][scalar]") {
  CHECK(real_on(Op::add, f32, 16777216, 1) == 16777216);
  CHECK(real_on(Op::add, f64, 16777216, 1) == 16777217);
  CHECK(real_on(Op::div, f32, 1, 3) == 0.3333333432674407958984375);
  CHECK(real_on(Op::sqrt, f32, 2) == 1.41421353816986083984375);
  CHECK(real_on(Op::mul, f64, 0.1, 10) == 1);
  CHECK(real_on(Op::div, f32, 1, 0) == infinity);
  CHECK(real_on(Op::sub, f32, 0.5, 2) == -1.5);
}

TEST_CASE("float16 and bfloat16 round after every operation", "[judge][scalar]") {
  CHECK(real_on(Op::add, f16, 2048, 1) == 2048);  // half-way to 2050, ties to even
  CHECK(real_on(Op::add, f16, 2050, 1) == 2052);  // half-way to 2052, ties to even
  CHECK(real_on(Op::add, f16, 65504, 8) == 65504);
  CHECK(real_on(Op::add, f16, 65504, 16) == infinity);
  CHECK(real_on(Op::div, f16, 1, 3) == 0.333251953125);
  CHECK(real_on(Op::mul, f16, std::ldexp(1.0, -24), 0.5) == 0);
  CHECK(real_on(Op::mul, f16, std::ldexp(3.0, -24), 0.5) == std::ldexp(2.0, -24));
  CHECK(real_on(Op::add, bf16, 256, 1) == 256);
  CHECK(real_on(Op::add, bf16, 258, 1) == 260);
  CHECK(real_on(Op::div, bf16, 1, 3) == 0.333984375);
  CHECK(real_on(Op::exp, f16, 1) == 2.71875);
  CHECK(real_scalar(f16, 1.0).bits == 0x3c00);
  CHECK(real_scalar(f16, -2.0).bits == 0xc000);
  CHECK(real_scalar(f16, std::ldexp(1.0, -24)).bits == 1);
  CHECK(real_scalar(f16, std::ldexp(1023.0, -24)).bits == 0x03ff);
  CHECK(real_scalar(f16, std::ldexp(1.0, -14)).bits == 0x0400);
  CHECK(real_scalar(f16, 1e9).bits == 0x7c00);
  CHECK(real_scalar(bf16, 1.0).bits == 0x3f80);
  CHECK(real_scalar(f32, -0.1).bits == 0xbdcccccd);
  CHECK(real_scalar(f64, 0.1).bits == 0x3fb999999999999a);
  CHECK(real_scalar(f64, 5e-324).bits == 1);
}

TEST_CASE("the libm functions, in the type's own precision", "[judge][scalar]") {
  CHECK(real_on(Op::exp, f32, 1) == 2.71828174591064453125);
  CHECK(real_on(Op::exp, f64, 1) == 2.718281828459045);
  CHECK(real_on(Op::log, f64, 1) == 0);
  CHECK(real_on(Op::sin, f64, 0.5) == Approx(0.479425538604203).epsilon(1e-15));
  CHECK(real_on(Op::cos, f64, 0.5) == Approx(0.8775825618903728).epsilon(1e-15));
  CHECK(real_on(Op::tan, f64, 0.5) == Approx(0.5463024898437905).epsilon(1e-15));
  CHECK(real_on(Op::asin, f64, 0.5) == Approx(0.5235987755982989).epsilon(1e-15));
  CHECK(real_on(Op::acos, f64, 0.5) == Approx(1.0471975511965979).epsilon(1e-15));
  CHECK(real_on(Op::atan, f64, 0.5) == Approx(0.4636476090008061).epsilon(1e-15));
  CHECK(real_on(Op::sinh, f64, 0.5) == Approx(0.5210953054937474).epsilon(1e-15));
  CHECK(real_on(Op::cosh, f64, 0.5) == Approx(1.1276259652063807).epsilon(1e-15));
  CHECK(real_on(Op::tanh, f64, 0.5) == Approx(0.46211715726000976).epsilon(1e-15));
  CHECK(real_on(Op::asinh, f64, 0.5) == Approx(0.48121182505960347).epsilon(1e-15));
  CHECK(real_on(Op::acosh, f64, 1.5) == Approx(0.9624236501192069).epsilon(1e-15));
  CHECK(real_on(Op::atanh, f64, 0.5) == Approx(0.5493061443340549).epsilon(1e-15));
  CHECK(real_on(Op::erf, f64, 0.5) == Approx(0.5204998778130465).epsilon(1e-15));
  CHECK(real_on(Op::pow, f64, 2, 0.5) == 1.4142135623730951);
  CHECK(real_on(Op::atan2, f64, -1, -1) == Approx(-2.356194490192345).epsilon(1e-15));
  CHECK(real_on(Op::abs, f32, -3.5) == 3.5);
  CHECK(real_on(Op::negate, f32, -3.5) == 3.5);
}

TEST_CASE("rounding to integers, round takes ties to even", "[judge][scalar]") {
  CHECK(real_on(Op::floor, f32, 12.333f) == 12);
  CHECK(real_on(Op::floor, f32, -0.5) == -1);
  CHECK(real_on(Op::ceil, f32, -0.5) == 0);
  CHECK(real_on(Op::trunc, f64, -1.7) == -1);
  CHECK(real_on(Op::round, f64, 0.5) == 0);
  CHECK(real_on(Op::round, f64, 1.5) == 2);
  CHECK(real_on(Op::round, f64, -2.5) == -2);
}

TEST_CASE("casts wrap between integers and saturate from floats", "[judge][scalar]") {
  CHECK(to_integer(u8, integer_scalar(i32, 300)) == 44);
  CHECK(to_integer(i8, integer_scalar(u8, 200)) == -56);
  CHECK(to_integer(u64, integer_scalar(i8, -1)) == -1);  // 2^64 - 1
  CHECK(to_integer(i32, real_scalar(f32, -2.9)) == -2);
  CHECK(to_integer(u8, real_scalar(f32, 300)) == 255);
  CHECK(to_integer(u8, real_scalar(f32, -1)) == 0);
  CHECK(to_integer(i8, real_scalar(f64, -1e30)) == -128);
  CHECK(to_integer(i32, real_scalar(f64, 2147483647.9)) == INT32_MAX);
  CHECK(to_integer(i64, real_scalar(f64, 1e19)) == INT64_MAX);
  CHECK(to_integer(i64, real_scalar(f64, -infinity)) == INT64_MIN);
  CHECK(reference::cast_to(u64, real_scalar(f64, 1e30)).bits == UINT64_MAX);
  CHECK(to_integer(i32, real_scalar(f32, not_a_number)) == 0);
  CHECK(to_integer(boolean, real_scalar(f32, 0.25)) == 1);
  CHECK(to_integer(boolean, integer_scalar(i8, 0)) == 0);
  CHECK(to_integer(boolean, integer_scalar(i16, 256)) == 1);
  CHECK(real_of(reference::cast_to(f32, integer_scalar(i32, 16777217))) == 16777216);
  CHECK(real_of(reference::cast_to(f32, integer_scalar(u64, -1))) == 18446744073709551616.0);
  CHECK(real_of(reference::cast_to(f64, integer_scalar(i64, INT64_MIN))) == -9223372036854775808.0);
  CHECK(real_of(reference::cast_to(f16, integer_scalar(i32, 2049))) == 2048);
  CHECK(real_of(reference::cast_to(bf16, real_scalar(f64, 1.00390625))) == 1);
  CHECK(real_of(reference::cast_to(f32, real_scalar(f64, 1e300))) == infinity);
}

TEST_CASE("a value between two bfloat16 is rounded once, not by way of double", "[judge][scalar]") {
  const std::int64_t above_half = (std::int64_t{1} << 62) + (std::int64_t{1} << 54) + 1;
  CHECK(real_of(reference::cast_to(bf16, integer_scalar(i64, above_half))) ==
        std::ldexp(1.0, 62) + std::ldexp(1.0, 55));
}

TEST_CASE("what reductions start from and how they go on", "[judge][scalar]") {
  CHECK(reference::to_string(reference::identity(Reduction::sum, i32)) == "0");
  CHECK(reference::to_string(reference::identity(Reduction::product, f32)) == "1");
  CHECK(reference::to_string(reference::identity(Reduction::minimum, i8)) == "127");
  CHECK(reference::to_string(reference::identity(Reduction::maximum, i8)) == "-128");
  CHECK(reference::to_string(reference::identity(Reduction::minimum, u64)) ==
        "18446744073709551615");
  CHECK(reference::to_string(reference::identity(Reduction::maximum, u16)) == "0");
  CHECK(real_of(reference::identity(Reduction::minimum, f16)) == infinity);
  CHECK(real_of(reference::identity(Reduction::maximum, f64)) == -infinity);
  const Scalar three = integer_scalar(i32, 3), five = integer_scalar(i32, 5);
  CHECK(int(integer_of(reference::combined(Reduction::sum, three, five))) == 8);
  CHECK(int(integer_of(reference::combined(Reduction::product, three, five))) == 15);
  CHECK(int(integer_of(reference::combined(Reduction::minimum, three, five))) == 3);
  CHECK(int(integer_of(reference::combined(Reduction::maximum, three, five))) == 5);
}

}  // namespace strata::test::scalar_test
