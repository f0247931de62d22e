// Every rewriting rule for index arithmetic, on operands near the limits of their types: the result
// has the same value as the original, modulo 2^64, if indices are within 2^61.
#include <catch2/catch.hpp>

#include <map>

#include "codegen/passes/narrow.h"
#include "codegen/passes/tighten.h"
#include "codegen/tree/index_math.h"
#include "core/expr/expr_text.h"
#include "tests/unit/codegen/index_draw.h"

namespace strata::test::index_rules_test {

namespace {

const Expr k = variable("k");

// a * b modulo 2^64
std::int64_t wrapped(std::int64_t a, std::int64_t b) {
  return std::int64_t(std::uint64_t(a) * std::uint64_t(b));
}

using Rule = Expr (*)(Draw&);

const std::map<std::string, Rule> rules{
    {"sums of multiples", [](Draw& d) { return d.sum() - d.sum() * d.small() + -d.sum(); }},
    {"a remainder and a quotient",
     [](Draw& d) {
       const std::int64_t c = d.divisor();
       const Expr x = d.sum();
       return x % c * d.small() + x / c * d.small() * c;
     }},
    {"a remainder from a quotient",
     [](Draw& d) {
       const std::int64_t c = d.divisor(), m = d.small();
       const Expr x = d.sum();
       return m * x - wrapped(m, c) * (x / c) + d.leaf();
     }},
    {"a quotient without multiples",
     [](Draw& d) {
       const std::int64_t m = d.divisor();
       return (d.index() * wrapped(m, d.small()) + d.sum()) / m;
     }},
    {"a remainder without multiples",
     [](Draw& d) {
       const std::int64_t m = d.divisor();
       return (d.index() * wrapped(m, d.small()) + d.sum()) % m;
     }},
    {"a remainder of a negated sum",
     [](Draw& d) { return (-d.leaf() - 1 - d.below(9)) % d.divisor(); }},
    {"an extremum and a constant",
     [](Draw& d) { return min(d.leaf(), max(d.leaf(), d.small())) + d.number(63); }},
    {"constants",
     [](Draw& d) {
       const Expr a = constant(i64, d.number(63)), b = constant(i64, 1 + d.below(9));
       return min(a / b, max(a % b, b)) + d.leaf() / 1;
     }},
    {"all of them in each other", [](Draw& d) { return d.nested(3); }},
};

constexpr int expressions = 400, values_of_each = 180, values_of_others = 60;

StmtPtr statement(const Expr& index) {
  Execute s;
  s.computation = "y";
  s.instance = {index};
  s.buffer = "y";
  s.indices = {index};
  s.value = Expr(0);
  return make_stmt(s);
}

// A loop over k.
Kernel loop(std::int64_t lower, std::int64_t upper, const StmtPtr& body) {
  For all;
  all.variable = all.name = "k";
  all.lower = constant(i64, lower);
  all.upper = constant(i64, upper);
  all.extent = upper - lower;
  all.body = body;
  Kernel kernel;
  kernel.body = make_stmt(all);
  return kernel;
}

}  // namespace

TEST_CASE("rewritten index arithmetic has its value near the limits of types", "[codegen]") {
  unsigned seed = 0;
  std::int64_t operands = 0;
  for (const auto& [name, rule] : rules) {
    Draw draw(++seed);
    std::int64_t changed = 0;
    for (int count = 0; count < expressions; ++count) {
      const Expr e = rule(draw), simple = simplified(e);
      changed += !same(e, simple);
      for (int turn = 0; turn < values_of_each; ++turn) {
        const Numbers at = draw.numbers();
        const auto expected = plain_value(e, at), found = plain_value(simple, at);
        if (!expected || !found) continue;  // an index beyond 2^61
        operands += at.count;
        INFO(name << ": " << to_text(e) << "  ~>  " << to_text(simple) << " at " << at.text());
        REQUIRE(*found == *expected);
      }
    }
    CHECK(changed > expressions / 4);
  }
  CHECK(operands > 2'100'000);
}

TEST_CASE("comparisons that are decided hold near the limits of types", "[codegen]") {
  Draw draw(11);
  std::int64_t operands = 0, decided = 0;
  for (int count = 0; count < 4000; ++count) {
    const Expr x = draw.sum();
    const Op op = Op(int(Op::eq) + draw.below(6));
    const Expr condition = make(op, {x + draw.number(draw.one_in(2) ? 4 : 63), x + draw.small()});
    const auto truth = as_truth(condition);
    decided += truth.has_value();
    for (int turn = 0; truth && turn < values_of_others; ++turn) {
      const Numbers at = draw.numbers();
      const auto expected = plain_value(condition, at);
      if (!expected) continue;
      operands += at.count;
      INFO(to_text(condition) << " at " << at.text());
      REQUIRE(*truth == (*expected != 0));
    }
  }
  CHECK(decided > 400);
  CHECK(operands > 90'000);
}

TEST_CASE("a quotient or remainder within one multiple is one near the limits of types",
          "[codegen]") {
  Draw draw(12);
  std::int64_t operands = 0, changed = 0;
  for (int count = 0; count < 3000; ++count) {
    const Expr low = constant(i64, draw.small());
    const Expr x = draw.one_in(2) ? k * draw.small() : draw.sum();
    const Expr e = draw.one_in(2) ? max(min(x, draw.below(20)) - draw.small(), low)
                                  : min(max(x, low) + draw.small(), draw.below(20));
    const Expr index = draw.one_in(2) ? e / draw.divisor() : e % draw.divisor();
    const Kernel after = narrow(loop(0, 7, statement(index)));
    const StmtPtr inside = std::get<For>(*after.body).body;
    const Expr found = std::get<Execute>(*inside).indices[0];
    changed += !same(index, found);
    for (int turn = 0; turn < values_of_others; ++turn) {
      const Numbers at = draw.numbers();
      const auto expected = plain_value(index, at), value = plain_value(found, at);
      if (!expected || !value) continue;
      operands += at.count;
      INFO(to_text(index) << "  ~>  " << to_text(found) << " at " << at.text());
      REQUIRE(*value == *expected);
    }
  }
  CHECK(changed > 300);
  CHECK(operands > 300'000);
}

namespace {

// Appends the values of k for which a statement under loops and conditions runs; false if an index
// is too large.
bool runs(const StmtPtr& s, Numbers at, std::vector<std::int64_t>& found) {
  if (const auto* loop = std::get_if<For>(s.get())) {
    const auto lower = plain_value(loop->lower, at), upper = plain_value(loop->upper, at);
    if (!lower || !upper) return false;
    for (at.k = *lower; at.k < *upper && found.size() < 100; ++at.k)
      if (!runs(loop->body, at, found)) return false;
    return true;
  }
  if (const auto* branch = std::get_if<If>(s.get())) {
    const auto holds = plain_value(branch->condition, at);
    return holds && (!*holds || runs(branch->then, at, found));
  }
  found.push_back(at.k);
  return true;
}

}  // namespace

TEST_CASE("loops tightened by conditions on data run what they ran near the limits of types",
          "[codegen]") {
  Draw draw(13);
  std::int64_t operands = 0, tightened = 0;
  for (int count = 0; count < 3000; ++count) {
    const Expr left = draw.one_in(3) ? k : k * draw.small() + draw.index() * draw.small();
    const Expr right =
        draw.one_in(3) ? load("x", i64, {constant(i64, 0)}) : draw.data() + draw.small();
    const Op op = Op(int(Op::lt) + draw.below(4));
    const Expr condition = draw.one_in(2) ? make(op, {left, right}) : make(op, {right, left});
    const Kernel kernel = loop(-2, 7, make_stmt(If{condition, statement(k), nullptr}));
    const Kernel after = tighten(kernel);
    tightened += !std::holds_alternative<For>(*after.body);
    for (int turn = 0; turn < values_of_others; ++turn) {
      const Numbers at = draw.numbers();
      std::vector<std::int64_t> expected, found;
      if (!runs(kernel.body, at, expected) || !runs(after.body, at, found)) continue;
      operands += at.count;
      INFO(to_text(condition) << " at " << at.text());
      REQUIRE(found == expected);
    }
  }
  CHECK(tightened > 500);
  CHECK(operands > 300'000);
}

}  // namespace strata::test::index_rules_test
