// Expressions as text: their form, that every tree parses back, and the errors for invalid text.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "core/expr/expr_text.h"
#include "core/float_bits.h"

namespace strata::test::expr_text_test {

namespace {

const Var i("i"), j("j"), k("k");
const Param N("N"), M("M");

// The name of an array gives its type: "a_float32".
const ExprNames names{[](const std::string& name) -> std::optional<Type> {
                        if (name == "in") return f32;
                        if (name == "two words" || name == "sum" || name == "S.init") return f32;
                        return name.substr(0, 2) == "a_" ? type_named(name.substr(2))
                                                         : std::nullopt;
                      },
                      {"N", "M"}};

Expr in(Expr x, Expr y) { return access("in", f32, {std::move(x), std::move(y)}); }

std::string message_of(const std::string& text) {
  try {
    parse_expr(text, names);
  } catch (const Error& e) {
    return to_string(e.code()).substr(0, 5) + " " + e.refusal().explanation;
  }
  return "";
}

}  // namespace

TEST_CASE("expressions read as an author would write them") {
  const std::pair<Expr, std::string> cases[] = {
      {in(i, j + 1) * 3, "in[i, j + 1] * 3.0f32"},
      {(in(i, j) + in(i, j + 1)) / 3.0f, "(in[i, j] + in[i, j + 1]) / 3.0f32"},
      {i - (j - k), "i - (j - k)"},
      {i - j - k, "i - j - k"},
      {i * (j + 1) % N, "i * (j + 1) % N"},
      {i + (j * 2), "i + j * 2"},
      {-(i + j), "-(i + j)"},
      {-i * j, "-i * j"},
      {-(i * j), "-(i * j)"},
      {-(-i), "--i"},
      {i - (-j), "i - -j"},
      {~i << 2, "~i << 2"},
      {i << (j + 1), "i << j + 1"},
      {(i & j) == 0, "(i & j) == 0"},
      {(i == j) && !(i < N), "i == j && !(i < N)"},
      {(i < j) == (j < k), "i < j == j < k"},
      {select(i > 0 || j > 0, in(i - 1, j), 0.0f), "select(i > 0 || j > 0, in[i - 1, j], 0.0f32)"},
      {cast(f32, i), "cast(float32, i)"},
      {clamp(i, 0, N - 1), "min(max(i, 0), N - 1)"},
      {sum(Var("k", 0, N), in(i, k)), "sum(k in [0, N) : in[i, k])"},
      {maximum({Var("k", 0, N), Var("l")}, 1.0f), "maximum(k in [0, N), l : 1.0f32)"},
      {let("M", in(0, 0)), "(M := in[0, 0])"},
      {checked("index 0 of x", variable("i"), 0, 9), "checked `index 0 of x`(i, 0, 9)"},
      {call(f64, "erfc", {in(0, 0), 2}), "call float64 erfc(in[0, 0], 2i32)"},
      {call(f64, "norm", {array_argument("in", f32), 2}),
       "call float64 norm(array float32 in(), 2i32)"},
      {array_argument("b", f32, {load("b", f32, {0}), load("b", f32, {i})}, {0}, {i}),
       "array float32 b(load float32 b[0], load float32 b[i], 0, i)"},
      {load("b", u16, {i, 0}), "load uint16 b[i, 0]"},
      {access("S.init", f32, {}), "S.init[]"},
      {access("two words", f32, {i}), "`two words`[i]"},
      {access("sum", f32, {i}), "sum[i]"},
      {sum(Var("N", 0, 3), in(N, variable("N"))), "sum(N in [0, 3) : in[$N, N])"},
      {variable("true"), "`true`"},
      {variable("load") + 1, "`load` + 1"},
      {sqrt(abs(in(i, j))), "sqrt(abs(in[i, j]))"},
      {pow(in(i, j), 2), "pow(in[i, j], 2.0f32)"},
      {invalid(Code::E0111_not_affine, "a \"b\" \\ c"), "invalid(111, \"a \\\"b\\\" \\\\ c\")"},
  };
  for (const auto& [expression, text] : cases) {
    CHECK(to_text(expression) == text);
    CHECK(same(parse_expr(text, names), expression));
  }
  CHECK(to_text(Expr()) == "undefined");
}

TEST_CASE("a text names what is shared and large, and denotes the same sharing") {
  Expr e = in(i, j);
  for (int level = 0; level < 60; ++level) e = e * e + in(i, j);  // 2^60 paths
  const std::string text = to_text(e);
  CHECK(text.size() < 3000);
  CHECK(text.substr(0, 72) ==
        "let @1 = in[i, j] * in[i, j] + in[i, j]; let @2 = @1 * @1 + in[i, j]; le");
  const Expr back = parse_expr(text, names);
  CHECK(same(back, e));
  CHECK(to_text(back) == text);
}

TEST_CASE("a text repeats what is small") {
  const Expr x = in(i, j) * 3.0f + 1.0f, y = x * x + x;
  CHECK(to_text(y * y) == to_text(parse_expr(to_text(y * y), names)));
  CHECK(to_text(y * y).find("let") == std::string::npos);
}

// A tree of 2^n distinct leaves is large and shares nothing.
TEST_CASE("a text names nothing that is used once") {
  const std::function<Expr(int)> tree = [&](int n) {
    return n == 0 ? in(i, j) : tree(n - 1) + tree(n - 1);
  };
  CHECK(to_text(tree(9)).find("let") == std::string::npos);
}

TEST_CASE("a shared part outside of its reduction keeps its iterators, inside its parameters") {
  Expr e = in(k, i) + cast(f32, N);
  for (int level = 0; level < 40; ++level) e = e + e;
  const Expr whole = sum(Var("k", 0, N), e) * sum(Var("N", 0, k), e);
  const std::string text = to_text(whole);
  CHECK_THAT(text, Catch::Contains("let @1 = in[%k, i] + cast(float32, $N); "));
  CHECK(same(parse_expr(text, names), whole));
  CHECK(to_text(parse_expr(text, names)) == text);
}

TEST_CASE("an iterator may be called let") {
  const Expr let_there = Var("let");
  CHECK(to_text(let_there + 1) == "let + 1");
  CHECK(same(parse_expr("let + 1", names), let_there + 1));
}

TEST_CASE("constants carry their type") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::pair<Expr, std::string> cases[] = {
      {constant(i64, 7), "7"},
      {constant(i64, -7), "-7"},
      {make(Op::negate, {constant(i64, 7)}), "-(7)"},
      {make(Op::negate, {real_constant(f64, infinity)}), "-(inf)"},
      {constant(u8, 7), "7u8"},
      {constant(i16, -7), "-7i16"},
      {constant(u64, -1), "18446744073709551615u64"},
      {constant(i64, std::numeric_limits<std::int64_t>::min()), "-9223372036854775808"},
      {constant(boolean, 1), "true"},
      {constant(boolean, 0), "false"},
      {real_constant(f64, 3), "3.0"},
      {real_constant(f64, 0.1), "0.1"},
      {real_constant(f64, 0.1f), "0.10000000149011612"},
      {real_constant(f64, 1e300), "1e+300"},
      {real_constant(f32, 0.1), "0.1f32"},
      {real_constant(f32, -0.0), "-0.0f32"},
      {real_constant(f32, 1e-45), "1e-45f32"},
      {real_constant(f16, 0.1), "0.1f16"},
      {real_constant(bf16, 0.1), "0.1bf16"},
      {real_constant(f64, infinity), "inf"},
      {real_constant(bf16, -infinity), "-inf_bf16"},
      {real_constant(f32, std::nan("")), "nan_f32"},
      {constant(i64, 2) - constant(i64, -1), "2 - -1"},
  };
  for (const auto& [expression, text] : cases) {
    CHECK(to_text(expression) == text);
    CHECK(same(parse_expr(text, names), expression));
  }
  CHECK(same(parse_expr("3f32", names), real_constant(f32, 3)));
  CHECK(same(parse_expr("1e3", names), real_constant(f64, 1000)));
}

TEST_CASE("every 16-bit float comes back, and floats and doubles of any bits do") {
  int failures = 0;
  const auto check = [&](Type type, double value) {
    const Expr e = real_constant(type, value);
    failures += !same(parse_expr(to_text(e), names), e);
  };
  for (int bits = 0; bits < 65536; ++bits) {
    check(f16, from_binary16(std::uint16_t(bits)));
    check(bf16, from_bfloat16(std::uint16_t(bits)));
  }
  std::mt19937_64 random(3);
  for (int n = 0; n < 20000; ++n) {
    const std::uint64_t bits = random();
    check(f32, double(std::bit_cast<float>(std::uint32_t(bits))));
    check(f64, std::bit_cast<double>(bits));
    check(f64, std::bit_cast<double>(bits & 0x000fffffffffffff));
    check(f32, double(std::bit_cast<float>(std::uint32_t(bits) & 0x007fffff)));
  }
  CHECK(failures == 0);
}

namespace {

// Random typed trees. Each operation has its own result type; the leaves end the recursion.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  Expr tree(Type type, int depth) {
    Expr e = depth == 0 ? leaf(type) : inner(type, depth - 1);
    REQUIRE(find_invalid(e) == nullptr);
    REQUIRE(e.type() == type);
    ++seen[e.op()];
    return e;
  }

  Type any_type() {
    static const Type all[] = {boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64};
    return all[below(std::size(all))];
  }

  std::map<Op, int> seen;

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  Expr leaf(Type type) {
    if (type == i64 && below(2)) return below(2) ? variable("i") : parameter("M");
    return below(2) ? some_constant(type) : access("a_" + to_string(type), type, {});
  }

  Expr some_constant(Type type) {
    if (is_float(type)) return real_constant(type, (double(random_()) - 1e9) / 1e7);
    return constant(type, std::int64_t(random_() % 2000) - 1000);
  }

  Expr inner(Type type, int depth) {
    switch (below(8)) {
      case 0: return access("a_" + to_string(type), type, {tree(i64, depth), tree(i64, 0)});
      case 1: return select(tree(boolean, depth), tree(type, depth), tree(type, depth));
      case 2: return wrapped(type, depth);
      case 3: return other_type(type, depth);
      default: return type == boolean ? truth(depth) : operation(type, depth);
    }
  }

  Expr wrapped(Type type, int depth) {
    switch (below(4)) {
      case 0:
        if (type == i64 && below(2))
          return checked("an index", tree(i64, depth), tree(i64, 0), tree(i64, depth));
        return load("buffer", type, {tree(i64, depth)});
      case 1: return let(below(2) ? "value" : "an odd name", tree(type, depth));
      case 2:
        ++seen[Op::array];
        return call(type, "f", {tree(any_type(), depth), array_argument("in", f32)});
      default: return reduction(type, depth);
    }
  }

  Expr reduction(Type type, int depth) {
    const std::vector<Var> over = {Var("k", tree(i64, 0), tree(i64, depth)),
                                   below(2) ? Var("M", 0, 3) : Var("l")};
    using Maker = Expr (*)(std::vector<Var>, Expr);
    static constexpr Maker numbers[] = {sum, product, minimum, maximum}, truths[] = {any, all};
    const Maker maker = type == boolean ? truths[below(2)] : numbers[below(4)];
    return maker(over, tree(type, depth));
  }

  Expr other_type(Type type, int depth) {
    const Type from = any_type();
    return from == type ? tree(type, depth) : cast(type, tree(from, depth));
  }

  Expr truth(int depth) {
    static const Op logical[] = {Op::logical_and, Op::logical_or, Op::eq, Op::ne};
    static const Op compare[] = {Op::eq, Op::ne, Op::lt, Op::le, Op::gt, Op::ge};
    if (below(4) == 0) return make(Op::logical_not, {tree(boolean, depth)});
    if (below(2)) return make(logical[below(4)], {tree(boolean, depth), tree(boolean, depth)});
    Type type = any_type();
    if (type == boolean) type = i64;
    return make(compare[below(6)], {tree(type, depth), tree(type, depth)});
  }

  Expr operation(Type type, int depth) {
    static const Op common[] = {Op::add, Op::sub, Op::mul, Op::div, Op::min, Op::max};
    static const Op integer[] = {Op::mod,     Op::bit_and,    Op::bit_or,
                                 Op::bit_xor, Op::shift_left, Op::shift_right};
    static const Op floating[] = {Op::pow, Op::atan2};
    if (below(3) == 0) return unary(type, depth);
    Op op = common[below(6)];
    if (below(2)) op = is_float(type) ? floating[below(2)] : integer[below(6)];
    return make(op, {tree(type, depth), tree(type, depth)});
  }

  Expr unary(Type type, int depth) {
    if (below(2)) return make(below(2) ? Op::negate : Op::abs, {tree(type, depth)});
    if (!is_float(type)) return make(Op::bit_not, {tree(type, depth)});
    const int first = int(Op::sqrt), last = int(Op::trunc);
    return make(Op(first + int(below(last - first + 1))), {tree(type, depth)});
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("random trees come back from their text, with every operation among them") {
  Generator generator(4);
  for (int n = 0; n < 1500; ++n) {
    const Expr e = generator.tree(generator.any_type(), 1 + n % 6);
    const std::string text = to_text(e);
    INFO(text);
    const Expr back = parse_expr(text, names);
    REQUIRE(same(back, e));
    REQUIRE(to_text(back) == text);
  }
  for (int op = int(Op::constant); op <= int(Op::ge); ++op) {
    INFO(to_string(Op(op)));
    CHECK(generator.seen[Op(op)] > 0);
  }
}

TEST_CASE(
    "text that cannot be read is refused with its place, what was expected and what was found") {
  const std::pair<std::string, std::string> cases[] = {
      {"", "E0108 line 1, column 1: expected an expression, found the end of the text"},
      {"in[i, ", "E0108 line 1, column 7: expected an expression, found the end of the text"},
      {"i + * 2", "E0108 line 1, column 5: expected an expression, found '*'"},
      {"(i\n  + 2", "E0108 line 2, column 6: expected ')', found the end of the text"},
      {"i j", "E0108 line 1, column 3: expected the end of the text, found 'j'"},
      {"foo[i]", "E0108 line 1, column 1: there is no input or computation named 'foo'"},
      {"i + f(1)", "E0108 line 1, column 5: there is no function named 'f'"},
      {"300u8", "E0108 line 1, column 1: '300u8' is not a constant of any type"},
      {"1 + 1.5i32", "E0108 line 1, column 5: '1.5i32' is not a constant of any type"},
      {"9223372036854775808",
       "E0108 line 1, column 1: '9223372036854775808' is not a constant of any type"},
      {"cast(int7, 1)",
       "E0108 line 1, column 6: expected a type (int32, float32, ..), found 'int7'"},
      {"sum(k in (0, 1) : 2)", "E0108 line 1, column 10: expected '[', found '('"},
      {"sum(k in [0, 1] : 2)", "E0108 line 1, column 15: expected ')', found ']'"},
      {"sum(3 : 2)", "E0108 line 1, column 5: expected the name of an iterator, found '3'"},
      {"`abc", "E0108 line 1, column 1: the ` that opens here is never closed"},
      {"invalid(1, 2)", "E0108 line 1, column 12: expected an explanation, found '2'"},
      {"i = 3", "E0108 line 1, column 3: expected the end of the text, found '='"},
  };
  for (const auto& [text, message] : cases) {
    INFO(text);
    CHECK(message_of(text) == message);
  }
}

TEST_CASE("text whose types do not mix is refused with its place") {
  CHECK(message_of("in[i, j] +\n i") ==
        "E0110 line 1, column 10: in[i, j] is float32 and i is int64, which do not mix; write "
        "cast(float32, i)");
  CHECK(message_of("1 + sqrt(i)") ==
        "E0110 line 1, column 5: sqrt takes a float, not int64; write sqrt(cast(float32, ..))");
  CHECK(message_of("min(1)") == "E0109 line 1, column 1: min takes 2 operands, not 1");
}

TEST_CASE("a text nested without end is refused, one as deep as expressions go is not") {
  CHECK_THAT(message_of(std::string(100000, '(')), Catch::Contains("nested more than 1000 deep"));
  CHECK_THAT(message_of(std::string(100000, '-')), Catch::Contains("nested more than 1000 deep"));
  for (const auto& grown :
       {+[](const Expr& e) { return e - 1; }, +[](const Expr& e) { return 1 - e; },
        +[](const Expr& e) { return -(e + 1); }, +[](const Expr& e) { return let("x", e); },
        +[](const Expr& e) { return sum(Var("l", e, 3), e); }}) {
    Expr e = i, next = grown(e);
    const bool doubles = to_text(next).find("sum") != std::string::npos;
    while (!find_invalid(next) && next.node().depth <= (doubles ? 12 : 1000)) {
      e = next;
      next = grown(e);
    }
    CHECK(e.node().depth >= (doubles ? 12 : 999));
    CHECK(same(parse_expr(to_text(e), names), e));
  }
}

TEST_CASE("names and literals in a text are read as in C++") {
  CHECK(message_of("i & j == 0").substr(0, 5) == "E0110");
  CHECK(
      same(parse_expr("sum(N in [0, 3) : N) + N", names), sum(Var("N", 0, 3), variable("N")) + N));
  CHECK(same(parse_expr("sum(N in [N, 3) : $N)", names), sum(Var("N", N, 3), N)));
  // Above the midpoint of two float32 by less than a double can represent.
  CHECK(same(parse_expr("1.00000005960464477539062500000000001f32", names),
             real_constant(f32, 1 + std::ldexp(1.0, -23))));
}

TEST_CASE("part of a text can be read, and its place is known") {
  TextScanner scanner("i + 1 ; rest", TextPosition{12, 30});
  CHECK(same(parse_expr(scanner, names), i + 1));
  CHECK(scanner.is_symbol(";"));
  CHECK(scanner.position(scanner.peek().begin).line == 12);
  CHECK(scanner.position(scanner.peek().begin).column == 36);
  CHECK_THROWS_WITH(scanner.expect_end(), Catch::Contains("line 12, column 36"));
}

TEST_CASE("comments and line ends are space") {
  CHECK(same(parse_expr("i + # the row\n\t 1\r\n", names), i + 1));
}

}  // namespace strata::test::expr_text_test
