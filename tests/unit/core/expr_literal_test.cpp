// C++ numbers of every type next to expressions: they compile, and take their partner's type.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/expr/expr.h"

namespace strata::test::expr_literal_test {

namespace {

const Type integers[] = {i8, i16, i32, i64, u8, u16, u32, u64};
const Type floats[] = {f16, bf16, f32, f64};

Expr value_of(Type type) { return access("a", type, {variable("i")}); }

std::string explanation(const Expr& e) {
  const ExprNode* mistake = find_invalid(e);
  return mistake ? mistake->name : "";
}

// The literal became a constant of the partner's type, with its own value.
template <typename T>
void check_adapted(const Expr& sum, int at, Type type, T number) {
  REQUIRE(find_invalid(sum) == nullptr);
  const ExprNode& constant = sum.args()[at].node();
  CHECK(sum.type() == type);
  CHECK(constant.op == Op::constant);
  CHECK(constant.type == type);
  CHECK_FALSE(constant.literal);
  CHECK((is_float(type) ? constant.real : double(constant.integer)) == double(number));
}

template <typename Operand, typename T>
void check_both_sides(const Operand& operand, Type type, T number) {
  check_adapted(operand + number, 1, type, number);
  check_adapted(number + operand, 0, type, number);
}

}  // namespace

TEMPLATE_TEST_CASE("an integer of every C++ type mixes with numbers of every type", "", char,
                   signed char, unsigned char, short, unsigned short, int, unsigned, long,
                   unsigned long, long long, unsigned long long, wchar_t, char16_t, char32_t) {
  const TestType seven = 7;
  check_both_sides(Var("i"), i64, seven);
  check_both_sides(Param("N"), i64, seven);
  for (Type type : integers) check_both_sides(value_of(type), type, seven);
  for (Type type : floats) check_both_sides(value_of(type), type, seven);
}

TEMPLATE_TEST_CASE("a float of every C++ type mixes with floats of every type, and only with them",
                   "", float, double, long double) {
  const TestType half = TestType(0.5);
  for (Type type : floats) check_both_sides(value_of(type), type, half);
  for (Type type : integers) {
    CHECK(find_invalid(value_of(type) + half) != nullptr);
    CHECK(find_invalid(half + value_of(type)) != nullptr);
  }
  CHECK(find_invalid(Var("i") * half) != nullptr);
  CHECK(find_invalid(half * Param("N")) != nullptr);
}

TEST_CASE("a bool mixes with booleans only") {
  const Expr truth = value_of(boolean);
  CHECK((truth && true).type() == boolean);
  CHECK((false || truth).type() == boolean);
  CHECK((truth == true).type() == boolean);
  CHECK(find_invalid(value_of(i32) + true) != nullptr);
  CHECK(find_invalid(truth && 1) != nullptr);
  CHECK(find_invalid(truth == 1) != nullptr);
}

TEST_CASE("a literal that its partner cannot represent is refused by name") {
  CHECK(explanation(value_of(u8) + 300) ==
        "300 does not fit in uint8, the type of a[i]; write cast(int32, a[i])");
  CHECK(explanation(value_of(u32) * -1) ==
        "-1 does not fit in uint32, the type of a[i]; write cast(int64, a[i])");
  CHECK(explanation(value_of(f32) + 16777217) ==
        "16777217 cannot be represented exactly in float32; write cast(float32, 16777217) to round "
        "it");
  CHECK(explanation(value_of(i32) * 0.5f) ==
        "a[i] is int32 and 0.5f32 is float32, which do not mix; write cast(float32, a[i])");
  CHECK(explanation(value_of(i64) + 18446744073709551615u) ==
        "18446744073709551615 does not fit in int64, the type of a[i]; write "
        "cast(int64, 18446744073709551615)");
}

TEST_CASE("the limits of an integer type are representable, one beyond is not") {
  CHECK(find_invalid(value_of(i8) + 127) == nullptr);
  CHECK(find_invalid(value_of(i8) + 128) != nullptr);
  CHECK(find_invalid(value_of(i8) + -128) == nullptr);
  CHECK(find_invalid(value_of(i8) + -129) != nullptr);
  CHECK(find_invalid(value_of(u64) + std::numeric_limits<std::uint64_t>::max()) == nullptr);
  CHECK(find_invalid(value_of(u32) + 4294967295) == nullptr);
  CHECK(find_invalid(value_of(u32) + 4294967296) != nullptr);
  CHECK(find_invalid(value_of(i64) + std::numeric_limits<std::int64_t>::min()) == nullptr);
}

TEST_CASE("an integer literal becomes a float only exactly") {
  CHECK(find_invalid(value_of(f16) + 2048) == nullptr);
  CHECK(find_invalid(value_of(f16) + 2049) != nullptr);
  CHECK(find_invalid(value_of(f16) + 65504) == nullptr);
  CHECK(find_invalid(value_of(f16) + 65536) != nullptr);
  CHECK(find_invalid(value_of(bf16) + 65536) == nullptr);
  CHECK(find_invalid(value_of(bf16) + 257) != nullptr);
  CHECK(find_invalid(value_of(f64) + (std::int64_t{1} << 62)) == nullptr);
  CHECK(find_invalid(value_of(f64) + std::numeric_limits<std::int64_t>::max()) != nullptr);
  CHECK(find_invalid(value_of(f64) + std::numeric_limits<std::int64_t>::min()) == nullptr);
  CHECK(find_invalid(value_of(f64) + std::numeric_limits<std::uint64_t>::max()) != nullptr);
}

TEST_CASE("a double rounds to its partner's float type") {
  const Expr sum = value_of(f32) + 0.1;
  CHECK(sum.args()[1].node().real == double(0.1f));
  const Expr half = value_of(f16) * 0.1;
  CHECK(half.args()[1].node().real == 0.0999755859375);
  CHECK((value_of(bf16) * 0.1).args()[1].node().real == 0.10009765625);
  CHECK((value_of(f64) * 0.1f).args()[1].node().real == double(0.1f));
}

TEST_CASE("two literals meet in a type that has both") {
  const auto type = [](Expr a, Expr b) { return make(Op::add, {a, b}).type(); };
  CHECK(type(1, 2) == i32);
  CHECK(type(1, std::int64_t{2}) == i64);
  CHECK(type(1, 2.0) == f64);
  CHECK(type(1, 2.0f) == f32);
  CHECK(type(2.0f, 1) == f32);
  CHECK(type(1u, 2) == i32);
  CHECK(type(2, 1u) == i32);
  CHECK(type(4000000000u, 2) == u32);
  CHECK(type(2, 4000000000u) == u32);
  CHECK(find_invalid(make(Op::add, {Expr(-1), Expr(4000000000u)})) != nullptr);
}

TEST_CASE("cast gives a literal its type at once, by the meaning of a cast") {
  const auto integer = [](Type t, Expr e) { return cast(t, e).node().integer; };
  const auto real = [](Type t, Expr e) { return cast(t, e).node().real; };
  CHECK(cast(u8, 7).op() == Op::constant);
  CHECK(cast(u8, 7).type() == u8);
  CHECK(integer(u8, 7) == 7);
  CHECK(integer(u8, 300) == 44);
  CHECK(integer(i8, 200) == -56);
  CHECK(integer(u16, -1) == 65535);
  CHECK(integer(u64, -1) == -1);
  CHECK(integer(i32, 2.9) == 2);
  CHECK(integer(i32, -2.9) == -2);
  CHECK(integer(u8, -3.5) == 0);
  CHECK(integer(u8, 1e30) == 255);
  CHECK(integer(i64, 1e30) == std::numeric_limits<std::int64_t>::max());
  CHECK(integer(i64, -1e30) == std::numeric_limits<std::int64_t>::min());
  CHECK(integer(u64, 1e30) == -1);
  CHECK(integer(u64, 1e19) == std::int64_t(std::uint64_t{10000000000000000000u}));
  CHECK(integer(i32, std::nan("")) == 0);
  CHECK(integer(boolean, 2) == 1);
  CHECK(integer(boolean, 0.0) == 0);
  CHECK(integer(boolean, 0.5) == 1);
  CHECK(integer(i32, true) == 1);
  CHECK(real(f32, 16777217) == 16777216);
  CHECK(real(f32, 0.1) == double(0.1f));
  CHECK(real(f64, 18446744073709551615u) == 18446744073709551616.0);
  CHECK(real(f16, 1e6) == std::numeric_limits<double>::infinity());
}

TEST_CASE("a literal stays one until it meets a partner") {
  CHECK(Expr(3).node().literal);
  CHECK(Expr(3).type() == i32);
  CHECK(Expr(std::uint8_t{3}).type() == u8);
  CHECK(Expr(3L).type() == i64);
  CHECK(Expr(3.0f).type() == f32);
  CHECK(Expr(3.0).type() == f64);
  CHECK(Expr(true).type() == boolean);
  CHECK_FALSE(constant(u8, 3).node().literal);
  CHECK_FALSE(real_constant(f32, 3).node().literal);
  CHECK_FALSE(cast(i32, 3).node().literal);
  CHECK_FALSE(let("three", 3).args()[0].node().literal);
  CHECK_FALSE(make(Op::negate, {Expr(3)}).args()[0].node().literal);
  CHECK_FALSE(call(f64, "f", {3}).args()[0].node().literal);
  CHECK_FALSE(sum(Var("k", 0, 3), 1).args()[0].node().literal);
}

TEST_CASE("typed constants wrap and round to their type") {
  CHECK(constant(u8, 300).node().integer == 44);
  CHECK(constant(i8, -129).node().integer == 127);
  CHECK(constant(boolean, 5).node().integer == 1);
  CHECK(constant(f32, 16777217).node().real == 16777216);
  CHECK(real_constant(bf16, 0.1).node().real == 0.10009765625);
  CHECK(find_invalid(real_constant(i32, 1.5)) != nullptr);
}

}  // namespace strata::test::expr_literal_test
