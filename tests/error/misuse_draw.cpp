#include "tests/error/misuse.h"

namespace strata::test {

std::string Draw::name() {
  static const std::vector<std::string> there = {"i",      "j",    "k",    "N",    "M",  "in", "at",
                                                 "s",      "t",    "u",    "h",    "r",  "f",  "i0",
                                                 "j_lane", "i_in", "head", "rest", "p1", "p2"};
  static const std::vector<std::string> odd = {"",
                                               " ",
                                               "1x",
                                               "a b",
                                               "x\ny",
                                               "é",
                                               "int",
                                               "while",
                                               "__x",
                                               "S[i]",
                                               "->",
                                               "{",
                                               "s.i",
                                               "x'",
                                               "%s",
                                               "i_lane",
                                               "main",
                                               "NULL",
                                               "select",
                                               "sum",
                                               "min",
                                               "true",
                                               "floor",
                                               "mod",
                                               "exists",
                                               "and",
                                               std::string("x\0y", 3),
                                               std::string(3000, 'x'),
                                               "\"",
                                               "\\",
                                               ";",
                                               "_",
                                               "strata_fail"};
  return of(one_in(3) ? odd : there);
}

std::int64_t Draw::number() {
  static const std::vector<std::int64_t> small = {1, 2, 3, 4, 8, 16}, odd = {0,
                                                                             -1,
                                                                             -2,
                                                                             -8,
                                                                             5,
                                                                             7,
                                                                             1000,
                                                                             65536,
                                                                             INT32_MAX,
                                                                             std::int64_t{1} << 31,
                                                                             std::int64_t{1} << 40,
                                                                             INT64_MAX,
                                                                             INT64_MAX - 1,
                                                                             INT64_MIN,
                                                                             INT64_MIN + 1};
  return of(one_in(2) ? odd : small);
}

Var Draw::loop() { return Var(name()); }

Var Draw::iterator() { return one_in(3) ? loop() : Var(name(), expression(1), expression(1)); }

Expr Draw::leaf() {
  if (one_in(4)) return of(reads_);
  switch (below(12)) {
    case 0: return Expr();
    case 1: return 1.5f;
    case 2: return 2.5;
    case 3: return true;
    case 4: return parameter(one_in(2) ? "N" : name());
    case 5: return number();
    case 6: return constant(type(), number());
    case 7: return invalid(Code::E0106_bad_argument, "made invalid");
    default: return variable(one_in(3) ? name() : of<std::string>({"i", "j", "k"}));
  }
}

Expr Draw::deep() {
  Expr e = variable("i");
  const std::size_t depth = of<std::size_t>({50, 5000, 100000});
  for (std::size_t n = 0; n < depth; ++n) e = one_in(2) ? e + 1 : 1 - e;
  return e;
}

Expr Draw::expression(int depth) {
  if (depth <= 0) return leaf();
  const auto part = [&] { return expression(depth - 1); };
  switch (below(16)) {
    case 0: return access(name(), type(), list(3, part));
    case 1: return access("in", f32, {part(), part()});
    case 2: return access("at", i32, {part()});
    case 3: return select(part(), part(), part());
    case 4: return cast(type(), part());
    case 5: return sum(list(2, [&] { return iterator(); }), part());
    case 6: return minimum(iterator(), part());
    case 7: return call(type(), name(), list(2, part));
    case 8: return let(name(), part());
    case 9: return clamp(part(), part(), part());
    case 10: return one_in(20) ? deep() : leaf();
    case 11: return load(name(), type(), {part()});
    case 12: {
      const Op op = static_cast<Op>(below(static_cast<std::size_t>(Op::ge) + 1));
      return make(op, list(3, part));
    }
    case 13: return part() * part();
    default: return part() + part();
  }
}

Type Draw::type() { return static_cast<Type>(below(13)); }

std::string Draw::relation() {
  static const std::vector<std::string> list = {
      "",
      "{",
      "[N] -> {",
      "{ s[i, j] -> [0, i, 0, j, 0] }",
      "{ s[i, j] -> [0, j, 0, i, 0] }",
      "{ s[i] -> [0, i, 0] }",
      "{ s[i, j] -> head[0, i, 0, j, 0] : i < 2; s[i, j] -> [1, i, 0, j, 0] : i >= 2 }",
      "{ s[i, j] -> [0, i + j, 0, j, 0]; s[i, j] -> [1, i, 0, j, 0] }",
      "{ s[i, j] -> [i] }",
      "{ [i] -> [i] }",
      "{ s[i, j] -> s[j, i] }",
      "{ s[i, j] -> b[j, i] }",
      "{ s[i, j] -> b[i % 2, j] }",
      "{ s[i, j] -> b[i, j, k] }",
      "[N, M] -> { u[i, j] : 0 <= i <= j < N }",
      "[N] -> { u[i] : i >= 0 }",
      "[N] -> { u[i, i] : 0 <= i < N }",
      "[X] -> { u[i] : 0 <= i < X }",
      "{ u[i] : 0 <= i < 10 and exists (e : i = 2e) }",
      "{ u[i] : i < 0 and i > 0 }",
      "{ u[] }",
      "{ u }",
      "{ u[i, j]; w[i] }",
      "{ s[i, j] -> [0, 99999999999999999999999, 0, j, 0] }",
      "{ u[[a] -> [b]] }",
      "{ u[i] : i * i < 10 }",
      "{ : }",
      "nonsense",
      "{ s[i, j] -> [0, i, 0, j, 0] } trailing",
      std::string("{ \0 }", 5),
      "{ s[i,j] -> [0, floor(i/0), 0, j, 0] }",
      "{ s[i, j] -> [0, i mod 0, 0, j, 0] }"};
  return of(list);
}

TileSize Draw::size() {
  if (one_in(5)) return Param(one_in(2) ? "N" : name());
  return number();
}

Memory Draw::memory() { return one_in(5) ? Memory::automatic : of<Memory>(all_memories()); }

}  // namespace strata::test
