// The operand and result types of each operation, over all pairs of types.
#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "core/expr/expr.h"

namespace strata::test::expr_typing_test {

namespace {

const std::vector<Type> all_types = {boolean, i8,  i16, i32,  i64, u8, u16,
                                     u32,     u64, f16, bf16, f32, f64};

Expr value_of(Type type) { return access("a", type, {variable("i")}); }

std::string explanation(const Expr& e) {
  const ExprNode* mistake = find_invalid(e);
  return mistake ? mistake->name : "";
}

// The result's type, or nothing for an invalid expression.
std::optional<Type> type_of(const Expr& e) {
  return find_invalid(e) ? std::nullopt : std::optional(e.type());
}

bool any(Type) { return true; }
bool number(Type type) { return type != boolean; }
bool truth(Type type) { return type == boolean; }

struct Rule {
  Op op;
  bool (*takes)(Type);
  bool gives_truth;
};

const Rule binary_rules[] = {{Op::add, number, false},
                             {Op::sub, number, false},
                             {Op::mul, number, false},
                             {Op::div, number, false},
                             {Op::mod, is_integer, false},
                             {Op::min, number, false},
                             {Op::max, number, false},
                             {Op::pow, is_float, false},
                             {Op::atan2, is_float, false},
                             {Op::bit_and, is_integer, false},
                             {Op::bit_or, is_integer, false},
                             {Op::bit_xor, is_integer, false},
                             {Op::logical_and, truth, true},
                             {Op::logical_or, truth, true},
                             {Op::eq, any, true},
                             {Op::ne, any, true},
                             {Op::lt, number, true},
                             {Op::le, number, true},
                             {Op::gt, number, true},
                             {Op::ge, number, true}};

const Rule unary_rules[] = {
    {Op::negate, number, false},      {Op::abs, number, false},     {Op::logical_not, truth, true},
    {Op::bit_not, is_integer, false}, {Op::sqrt, is_float, false},  {Op::exp, is_float, false},
    {Op::log, is_float, false},       {Op::sin, is_float, false},   {Op::cos, is_float, false},
    {Op::tan, is_float, false},       {Op::asin, is_float, false},  {Op::acos, is_float, false},
    {Op::atan, is_float, false},      {Op::sinh, is_float, false},  {Op::cosh, is_float, false},
    {Op::tanh, is_float, false},      {Op::asinh, is_float, false}, {Op::acosh, is_float, false},
    {Op::atanh, is_float, false},     {Op::erf, is_float, false},   {Op::floor, number, false},
    {Op::ceil, number, false},        {Op::round, number, false},   {Op::trunc, number, false}};

}  // namespace

TEST_CASE("a binary operation takes the common type of its operands") {
  CHECK(std::size(binary_rules) + 2 == std::size_t(Op::ge) - std::size_t(Op::add) + 1);
  for (const Rule& rule : binary_rules)
    for (Type a : all_types)
      for (Type b : all_types) {
        INFO(to_string(rule.op) << " of " << to_string(a) << " and " << to_string(b));
        std::optional<Type> expected = common_type(a, b);
        if (expected && !rule.takes(*expected)) expected.reset();
        const Expr e = make(rule.op, {value_of(a), value_of(b)});
        if (!expected) {
          CHECK_FALSE(type_of(e).has_value());
          CHECK(find_invalid(e)->code == Code::E0110_types_do_not_mix);
          continue;
        }
        CHECK(type_of(e) == (rule.gives_truth ? boolean : *expected));
        CHECK(e.op() == rule.op);
        for (int side : {0, 1}) {
          const Type given = side == 0 ? a : b;
          CHECK(e.args()[side].type() == *expected);
          CHECK(e.args()[side].op() == (given == *expected ? Op::access : Op::cast));
        }
      }
}

TEST_CASE("a unary operation gives the type it takes") {
  CHECK(std::size(unary_rules) == std::size_t(Op::trunc) - std::size_t(Op::negate) + 1);
  for (const Rule& rule : unary_rules)
    for (Type type : all_types) {
      INFO(to_string(rule.op) << " of " << to_string(type));
      const Expr e = make(rule.op, {value_of(type)});
      CHECK(type_of(e) == (rule.takes(type) ? std::optional(type) : std::nullopt));
    }
}

TEST_CASE("rounding an integer to an integer is the integer itself") {
  const Expr i = variable("i");
  for (Op op : {Op::floor, Op::ceil, Op::round, Op::trunc}) {
    CHECK(make(op, {i}).identity() == i.identity());
    CHECK(make(op, {value_of(f16)}).op() == op);
  }
}

TEST_CASE("the value shifted gives a shift its type, the count follows") {
  for (Op op : {Op::shift_left, Op::shift_right})
    for (Type a : all_types)
      for (Type count : all_types) {
        INFO(to_string(op) << " of " << to_string(a) << " by " << to_string(count));
        const bool valid = is_integer(a) && holds_every_value(a, count);
        const Expr e = make(op, {value_of(a), value_of(count)});
        CHECK(type_of(e) == (valid ? std::optional(a) : std::nullopt));
        if (valid) CHECK(e.args()[1].type() == a);
      }
  CHECK(type_of(value_of(u8) << 3) == u8);
  CHECK(type_of(1 << value_of(u16)) == u16);
  CHECK(find_invalid(value_of(u8) << -1) != nullptr);
}

TEST_CASE("select mixes its sides and asks for a boolean") {
  const Expr c = value_of(boolean);
  CHECK(type_of(select(c, value_of(f32), 0)) == f32);
  CHECK(type_of(select(c, 1, value_of(u8))) == u8);
  CHECK(type_of(select(c, value_of(i8), value_of(i32))) == i32);
  CHECK(type_of(select(true, value_of(i8), 1)) == i8);
  CHECK(type_of(make(Op::select, {c, value_of(f32), Expr(1)})) == f32);
  CHECK(explanation(select(variable("i"), 1, 2)) ==
        "the condition of select is a boolean, not int64; write .. != 0");
  CHECK(explanation(select(c, value_of(i32), value_of(f32))) ==
        "a[i] is int32 and a[i] is float32, which do not mix; write cast(float32, a[i])");
}

TEST_CASE("cast goes between all types, and nowhere when it is there") {
  for (Type from : all_types)
    for (Type to : all_types) {
      const Expr e = cast(to, value_of(from));
      CHECK(type_of(e) == to);
      CHECK(e.op() == (from == to ? Op::access : Op::cast));
    }
  CHECK(cast(u8, constant(i64, 7)).op() == Op::cast);
}

TEST_CASE("clamp keeps the type of what it clamps") {
  const Expr e = clamp(value_of(u8), 0, 200);
  CHECK(type_of(e) == u8);
  CHECK(same(e, make(Op::min, {make(Op::max, {value_of(u8), 0}), 200})));
}

TEST_CASE("indices are int64") {
  const Expr e = access("b", f32, {0, variable("i"), value_of(i32), value_of(u32)});
  REQUIRE(type_of(e) == f32);
  for (const Expr& index : e.args()) CHECK(index.type() == i64);
  CHECK(e.args()[0].op() == Op::constant);
  CHECK(e.args()[2].op() == Op::cast);
  CHECK(explanation(access("b", f32, {value_of(f32)})) ==
        "an index of b is an integer, and a[i] is float32; write cast(int64, a[i]), which rounds "
        "towards 0");
  CHECK(explanation(load("b", f32, {value_of(u64)})) ==
        "an index of b must be int64, but a[i] is uint64; write "
        "cast(int64, a[i])");
  CHECK(type_of(access("scalar", f16, {})) == f16);
}

TEST_CASE("a reduction has the type of its body and bounds of int64") {
  const Var k("k", 0, Param("N"));
  for (Type type : all_types) {
    const Expr e = sum(k, value_of(type));
    CHECK(type_of(e) == (type == boolean ? std::nullopt : std::optional(type)));
    CHECK(type_of(any(k, value_of(type))) ==
          (type == boolean ? std::optional(type) : std::nullopt));
    CHECK(type_of(all(k, value_of(type))) ==
          (type == boolean ? std::optional(type) : std::nullopt));
  }
  const Expr e = maximum({Var("l", 0, 3), Var("k", 0, variable("l"))}, 1.0f);
  REQUIRE(type_of(e) == f32);
  CHECK(e.node().reduction == Reduction::maximum);
  REQUIRE(e.node().variables.size() == 2);
  CHECK(e.node().variables[0].upper().type() == i64);
  CHECK(find_invalid(sum(std::vector<Var>{}, value_of(f32)))->code == Code::E0106_bad_argument);
  CHECK(find_invalid(sum({k, k}, value_of(f32)))->code == Code::E0106_bad_argument);
  CHECK(explanation(any(k, value_of(i32))) == "any takes a boolean, not int32; write .. != 0");
  CHECK(find_invalid(sum(Var("k", 0, 2.5), value_of(f32))) != nullptr);
}

TEST_CASE("a reduction starts from the identity of its step") {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto integer = [](Reduction r, Type t) { return identity_of(r, t).node().integer; };
  const auto real = [](Reduction r, Type t) { return identity_of(r, t).node().real; };
  for (Type type : all_types) {
    if (type == boolean) continue;
    for (Reduction r :
         {Reduction::sum, Reduction::product, Reduction::minimum, Reduction::maximum}) {
      CHECK(identity_of(r, type).type() == type);
      CHECK(combine(r, identity_of(r, type), value_of(type)).type() == type);
    }
  }
  for (Reduction r : {Reduction::any, Reduction::all})
    CHECK(combine(r, identity_of(r, boolean), value_of(boolean)).type() == boolean);
  CHECK(integer(Reduction::any, boolean) == 0);
  CHECK(integer(Reduction::all, boolean) == 1);
  CHECK(integer(Reduction::sum, u8) == 0);
  CHECK(integer(Reduction::product, i16) == 1);
  CHECK(integer(Reduction::minimum, i8) == 127);
  CHECK(integer(Reduction::maximum, i8) == -128);
  CHECK(integer(Reduction::minimum, u32) == 4294967295);
  CHECK(integer(Reduction::maximum, u32) == 0);
  CHECK(integer(Reduction::minimum, i64) == std::numeric_limits<std::int64_t>::max());
  CHECK(integer(Reduction::maximum, i64) == std::numeric_limits<std::int64_t>::min());
  CHECK(integer(Reduction::minimum, u64) == -1);
  CHECK(real(Reduction::minimum, bf16) == infinity);
  CHECK(real(Reduction::maximum, f32) == -infinity);
  CHECK(real(Reduction::product, f16) == 1);
  CHECK(combine(Reduction::sum, value_of(f32), value_of(f32)).op() == Op::add);
  CHECK(combine(Reduction::product, value_of(f32), value_of(f32)).op() == Op::mul);
  CHECK(combine(Reduction::minimum, value_of(f32), value_of(f32)).op() == Op::min);
  CHECK(combine(Reduction::maximum, value_of(f32), value_of(f32)).op() == Op::max);
  CHECK(combine(Reduction::any, value_of(boolean), value_of(boolean)).op() == Op::logical_or);
  CHECK(combine(Reduction::all, value_of(boolean), value_of(boolean)).op() == Op::logical_and);
}

TEST_CASE("the first mistake is inherited by all around it") {
  const Expr bad = variable("i") * 0.5f;
  const std::string first = explanation(bad);
  CHECK(first == "i is int64 and 0.5f32 is float32, which do not mix; write cast(float32, i)");
  const Expr fine = value_of(f32), other = value_of(boolean) + 1;
  for (const Expr& e :
       {bad + other, fine + bad, -bad, sqrt(bad), cast(f32, bad), select(bad, fine, fine),
        select(value_of(boolean), fine, bad), clamp(fine, bad, 1), let("x", bad),
        call(f32, "f", {fine, bad}), access("a", f32, {bad}), load("b", f32, {bad}),
        sum(Var("k", 0, 3), bad), sum(Var("k", 0, bad), fine), minimum(Var("k", bad, 3), fine),
        bad << 1, combine(Reduction::sum, fine, bad)}) {
    CHECK(e.op() == Op::invalid);
    CHECK(explanation(e) == first);
  }
}

TEST_CASE("an undefined operand is reported") {
  const Expr nothing;
  CHECK_FALSE(nothing.defined());
  CHECK(find_invalid(nothing)->code == Code::E0106_bad_argument);
  for (const Expr& e : {nothing + 1.0f + value_of(f32), -nothing, cast(f32, nothing),
                        select(nothing, 1, 2), let("x", nothing), access("a", f32, {nothing}),
                        call(f32, "f", {nothing}), sum(Var("k", 0, 3), nothing)}) {
    CHECK(e.op() == Op::invalid);
    CHECK_THAT(explanation(e), Catch::EndsWith("is an undefined Expr"));
  }
}

TEST_CASE("a wrong number of operands is reported") {
  CHECK(find_invalid(make(Op::add, {value_of(f32)}))->code == Code::E0109_wrong_arity);
  CHECK(find_invalid(make(Op::sqrt, {}))->code == Code::E0109_wrong_arity);
  CHECK(find_invalid(make(Op::access, {}))->code == Code::E0106_bad_argument);
}

TEST_CASE("an explanation says how to fix it") {
  const Expr f = value_of(f32), b = value_of(boolean), i = value_of(i32);
  CHECK(explanation(sqrt(i)) == "sqrt takes a float, not int32; write sqrt(cast(float32, ..))");
  CHECK(explanation(make(Op::sqrt, {Expr(2)})) ==
        "sqrt takes a float, not int32; write sqrt(cast(float32, ..))");
  CHECK(explanation(pow(i, 2)) == "pow takes a float, not int32; write pow(cast(float32, ..), ..)");
  CHECK(explanation(f % f) == "% takes an integer, not float32; write x - y * floor(x / y)");
  CHECK(explanation(b & b) == "& takes an integer, not boolean; write &&, || or !=");
  CHECK(explanation(~b) == "~ takes an integer, not boolean; write !");
  CHECK(explanation(i && i) == "&& takes a boolean, not int32; write .. != 0");
  CHECK(explanation(b + b) == "+ takes a number, not boolean; write cast(int32, ..)");
  CHECK(explanation(b < b) == "< takes a number, not boolean; write cast(int32, ..)");
  CHECK(explanation(value_of(f16) + value_of(bf16)) ==
        "a[i] is float16 and a[i] is bfloat16, which do not mix; write cast(float32, a[i])");
  CHECK(explanation(value_of(u8) + value_of(i8)) ==
        "a[i] is uint8 and a[i] is int8, which do not mix; write cast(int16, a[i])");
  CHECK(explanation(b + i) ==
        "a[i] is boolean and a[i] is int32, which do not mix; write cast(int32, a[i])");
}

TEST_CASE("operands that do not mix are named, the one to cast in the cast") {
  const Expr i = variable("i"), n = value_of(i32), x = value_of(f32);
  const auto said = [](const Expr& e) { return explanation(e); };
  CHECK(said(n * 2 + x) ==
        "a[i] * 2i32 is int32 and a[i] is float32, which do not mix; write "
        "cast(float32, a[i] * 2i32)");
  CHECK(said(x + n * 2) ==
        "a[i] is float32 and a[i] * 2i32 is int32, which do not mix; write "
        "cast(float32, a[i] * 2i32)");
  CHECK(said(value_of(u64) - n) ==
        "a[i] is uint64 and a[i] is int32, which do not mix; write cast(int64, a[i])");
  CHECK(said(access("b", f32, {i * 0.5})) ==
        "i is int64 and 0.5 is float64, which do not mix; write cast(float64, i)");
  // A long expression, and one with 2^60 paths.
  Expr squares = n;
  for (int level = 0; level < 60; ++level) squares = squares * squares;
  CHECK(said(squares + x) ==
        "the result of * is int32 and a[i] is float32, which do not mix; write cast(float32, ..)");
  CHECK(said(access("b", f32, {sqrt(squares * 1.0f)})).size() < 200);
  CHECK(said(access("b", f32, {access("an_array_of_a_name_that_is_long", f32, {i + i + i})})) ==
        "an index of b is an integer, and an_array_of_a_name_that_is_long[..] is float32; write "
        "cast(int64, ..), which rounds towards 0");
}

TEST_CASE("a += b is a = a + b, and so with the other operators") {
  const Expr n = value_of(i32), m = access("m", i32, {variable("i")});
  const auto after = [&](const auto& assign) {
    Expr e = n;
    assign(e);
    return e;
  };
  CHECK(same(after([&](Expr& e) { e += m; }), n + m));
  CHECK(same(after([&](Expr& e) { e -= 2; }), n - 2));
  CHECK(same(after([&](Expr& e) { e *= e; }), n * n));
  CHECK(same(after([&](Expr& e) { (e /= m) %= 3; }), n / m % 3));
  CHECK(same(after([&](Expr& e) { e <<= m; }), n << m));
  CHECK(same(after([&](Expr& e) { e >>= m; }), n >> m));
  CHECK(same(after([&](Expr& e) { e &= m; }), n & m));
  CHECK(same(after([&](Expr& e) { e |= m; }), n | m));
  CHECK(same(after([&](Expr& e) { e ^= m; }), n ^ m));
  Expr wrong = n;
  wrong += 0.5f;
  CHECK(explanation(wrong) == explanation(n + 0.5f));
}

}  // namespace strata::test::expr_typing_test
