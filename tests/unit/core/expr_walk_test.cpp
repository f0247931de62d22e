// Visiting, rewriting, substituting and comparing expressions.
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <set>

#include "core/expr/expr.h"

namespace strata::test::expr_walk_test {

namespace {

const Var i("i"), j("j");
const Param N("N");

Expr a(Expr x, Expr y) { return access("a", f32, {std::move(x), std::move(y)}); }
Expr b(Expr x) { return access("b", f32, {std::move(x)}); }

Expr put(const Expr& e, std::map<std::string, Expr> values) {
  return substitute(e, [&](const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? Expr() : found->second;
  });
}

// A tower of n shared sums: 2^n paths, n + 1 nodes.
Expr tower(int n) {
  Expr e = b(i);
  for (int level = 0; level < n; ++level) e = e + e;
  return e;
}

}  // namespace

TEST_CASE("an expression that is nested too deep is refused where it is made") {
  Expr chain = i;
  for (int n = 1; n < 1000; ++n) chain = chain + 1;
  CHECK(find_invalid(chain) == nullptr);
  CHECK(chain.node().depth == 1000);
  const std::string deep = "nested more than 1000 deep";
  for (const Expr& e :
       {chain + 1, -chain, cast(f32, chain), let("x", chain), b(chain), select(chain < 0, 1, 2),
        sum(Var("k", 0, chain), b(i)), sum(Var("k", chain, 3), b(i)), call(f32, "f", {i, chain})}) {
    REQUIRE(find_invalid(e) != nullptr);
    CHECK(find_invalid(e)->code == Code::E0117_unsupported_expression);
    CHECK_THAT(find_invalid(e)->name, Catch::Contains(deep));
  }
  // A cast inserted by mixing counts, too.
  Expr narrow = access("n", i8, {});
  for (int n = 1; n < 1000; ++n) narrow = -narrow;
  CHECK(find_invalid(narrow) == nullptr);
  CHECK((narrow + i).op() == Op::invalid);
  CHECK(put(chain, {{"i", i + 1}}).op() == Op::invalid);
}

TEST_CASE("a visit sees each node once, arguments first") {
  const Expr x = b(i), e = x * x + 1;
  std::vector<const ExprNode*> order;
  visit(e, [&](const Expr& node) { order.push_back(node.identity()); });
  CHECK(order.size() == 5);  // i, b[i], b[i] * b[i], 1, the sum
  CHECK(order.back() == e.identity());
  CHECK(std::count(order.begin(), order.end(), x.identity()) == 1);
  int nodes = 0;
  visit(tower(200), [&](const Expr&) { ++nodes; });
  CHECK(nodes == 202);
}

TEST_CASE("a visit sees the bounds of reduced iterators") {
  std::set<std::string> parameters;
  visit(sum(Var("k", 0, N), b(variable("k"))), [&](const Expr& e) {
    if (e.op() == Op::parameter) parameters.insert(e.name());
  });
  CHECK(parameters == std::set<std::string>{"N"});
}

TEST_CASE("a rewrite replaces bottom-up and keeps what it does not touch") {
  const Expr e = a(i, j) + b(i + 1) * 2;
  CHECK(rewrite(e, [](const Expr&) { return Expr(); }).identity() == e.identity());
  const Expr renamed = rewrite(e, [](const Expr& x) {
    return x.op() == Op::access && x.name() == "b" ? access("c", f32, x.args()) : Expr();
  });
  CHECK(same(renamed, a(i, j) + access("c", f32, {i + 1}) * 2));
  CHECK(renamed.args()[0].identity() == e.args()[0].identity());
}

TEST_CASE("a rewrite reaches reductions and their bounds, and shared nodes once") {
  const Expr e = sum(Var("k", 0, N), b(variable("k")) * b(i));
  const Expr five =
      rewrite(e, [](const Expr& x) { return x.op() == Op::parameter ? constant(i64, 5) : Expr(); });
  CHECK(same(five, sum(Var("k", 0, 5), b(variable("k")) * b(i))));
  int calls = 0;
  rewrite(tower(200), [&](const Expr&) {
    ++calls;
    return Expr();
  });
  CHECK(calls == 202);
}

TEST_CASE("a replacement of another type widens where that is exact, and is a mistake elsewhere") {
  const Expr e = a(i, 0);
  const auto by = [&](const Expr& value) {
    return rewrite(e, [&](const Expr& x) { return x.op() == Op::variable ? value : Expr(); });
  };
  CHECK(same(by(access("n", i32, {})), a(access("n", i32, {}), 0)));
  CHECK(same(by(7), a(7, 0)));
  CHECK(find_invalid(by(b(0))) != nullptr);
  CHECK(by(b(0)).op() == Op::invalid);
}

TEST_CASE("other arguments keep the node") {
  const Expr e = b(i) + b(j), cast_node = cast(u8, b(i));
  CHECK(same(with_args(e, {b(0), b(1)}), b(0) + b(1)));
  CHECK(same(with_args(cast_node, {b(j)}), cast(u8, b(j))));
  CHECK(same(with_args(e, {b(0), Expr(2)}), b(0) + 2));
  CHECK(find_invalid(with_args(e, {b(0)}))->code == Code::E0109_wrong_arity);
  CHECK(find_invalid(with_args(e, {b(0), Expr(i)}))->code == Code::E0110_types_do_not_mix);
  CHECK(find_invalid(with_args(e, {b(0), Expr()})) != nullptr);
}

TEST_CASE("free iterators are those that no reduction binds") {
  const Expr k = variable("k");
  CHECK(free_variables(a(i, j + N)) == std::set<std::string>{"i", "j"});
  CHECK(free_variables(sum(Var("k", 0, i), a(k, j))) == std::set<std::string>{"i", "j"});
  CHECK(free_variables(sum(Var("k", 0, i), b(k)) + b(k)) == std::set<std::string>{"i", "k"});
  // A bound of k is outside k, but inside the iterators before it.
  CHECK(free_variables(sum(Var("k", 0, k), b(k))) == std::set<std::string>{"k"});
  CHECK(free_variables(sum({Var("l", 0, N), Var("k", 0, variable("l"))}, b(k))).empty());
  CHECK(free_variables(Expr()).empty());
}

TEST_CASE("substitution is simultaneous and by name") {
  CHECK(same(put(a(i, j), {{"i", j}, {"j", i}}), a(j, i)));
  CHECK(same(put(a(i, j), {{"i", i + 1}}), a(i + 1, j)));
  CHECK(same(put(a(i, 0) + b(N), {{"N", i}}), a(i, 0) + b(N)));
  CHECK(same(put(b(i), {{"i", 3}}), b(3)));
  const Expr e = a(i, j);
  CHECK(put(e, {}).identity() == e.identity());
  CHECK(find_invalid(put(b(i), {{"i", b(0)}})) != nullptr);
  CHECK(put(tower(200), {{"i", j}}).defined());
}

TEST_CASE("substitution leaves reduced iterators alone") {
  const Expr k = variable("k"), e = sum(Var("k", 0, k), a(k, i)) + b(k);
  CHECK(same(put(e, {{"k", j}}), sum(Var("k", 0, j), a(k, i)) + b(j)));
  CHECK(same(put(e, {{"k", j}, {"i", N}}), sum(Var("k", 0, j), a(k, N)) + b(j)));
}

TEST_CASE("substitution does not capture") {
  const Expr k = variable("k"), k1 = variable("k_1"), k2 = variable("k_2");
  CHECK(
      same(put(sum(Var("k", 0, N), a(k, i)), {{"i", k + 1}}), sum(Var("k_1", 0, N), a(k1, k + 1))));
  // The new name occurs neither in the body nor in the values.
  CHECK(same(put(sum(Var("k", 0, N), a(k, i) * b(k1)), {{"i", k}}),
             sum(Var("k_2", 0, N), a(k2, k) * b(k1))));
  CHECK(same(put(sum({Var("k", 0, i), Var("k_1", 0, k)}, a(k, i) * b(k1)), {{"i", k}}),
             sum({Var("k_2", 0, k), Var("k_1", 0, k2)}, a(k2, k) * b(k1))));
  // A substituted name that is not used inside does not matter.
  CHECK(same(put(sum(Var("k", 0, N), b(k)) + b(i), {{"i", k}}), sum(Var("k", 0, N), b(k)) + b(k)));
}

TEST_CASE("the same tree, node for node") {
  const auto e = [] { return select(i < N, a(i, j + 1) * 2.5, b(0)); };
  CHECK(same(e(), e()));
  CHECK(same(Expr(), Expr()));
  CHECK_FALSE(same(e(), Expr()));
  CHECK(same(tower(200), tower(200)));
  CHECK_FALSE(same(tower(200), tower(199)));
  CHECK(same(Expr(3), constant(i32, 3)));
}

TEST_CASE("every part of a node counts") {
  const auto k = [](Expr low, Expr high) { return Var("k", std::move(low), std::move(high)); };
  const std::vector<Expr> different = {
      b(i),
      b(j),
      a(i, j),
      a(j, i),
      access("c", f32, {i}),
      access("b", f64, {i}),
      load("b", f32, {i}),
      parameter("i"),
      variable("i"),
      constant(i64, 0),
      constant(i32, 0),
      constant(boolean, 0),
      constant(i64, 1),
      real_constant(f64, 0),
      real_constant(f64, -0.0),
      real_constant(f64, std::numeric_limits<double>::quiet_NaN()),
      real_constant(f32, 0),
      let("x", b(i)),
      let("y", b(i)),
      call(f32, "f", {b(i)}),
      call(f64, "f", {b(i)}),
      call(f32, "g", {b(i)}),
      call(f32, "f", {b(i), b(i)}),
      cast(f64, b(i)),
      cast(f16, b(i)),
      -b(i),
      abs(b(i)),
      sum(Var("k"), b(i)),
      sum(Var("l"), b(i)),
      sum(k(0, 1), b(i)),
      sum(k(0, 2), b(i)),
      sum(k(1, 2), b(i)),
      product(k(0, 1), b(i)),
      sum({k(0, 1), Var("l")}, b(i)),
      invalid(Code::E0111_not_affine, "x"),
      invalid(Code::E0110_types_do_not_mix, "x"),
      invalid(Code::E0110_types_do_not_mix, "y"),
  };
  for (std::size_t x = 0; x < different.size(); ++x)
    for (std::size_t y = 0; y < different.size(); ++y) {
      INFO(x << " " << y);
      CHECK(same(different[x], different[y]) == (x == y));
      CHECK(same(let("v", different[x]), let("v", different[y])) == (x == y));
    }
}

TEST_CASE("nodes keep their owner wherever they are taken") {
  const auto f = std::make_shared<const Maker>(Maker{"f"}), g = std::make_shared<const Maker>(*f);
  const auto owned = [](const Owner& owner) {
    return access("a", f32, {i, Param("N", owner)}, owner);
  };
  const auto owners = [](const Expr& e) {
    std::multiset<Owner> found;
    visit(e, [&](const Expr& part) {
      if (part.node().owner) found.insert(part.node().owner);
    });
    return found;
  };
  const std::multiset<Owner> twice{f, f};
  CHECK(owners(owned(f)) == twice);
  CHECK(owners(owned(nullptr)).empty());
  const Expr read = select(owned(f) > 0.0f, 1.0f, 2.0f);
  CHECK(owners(put(read, {{"i", j + 1}})) == twice);
  const Expr rewritten = rewrite(read, [](const Expr& e) {
    return e.op() == Op::variable ? Expr(j) : e.op() == Op::constant ? e + 1.0f : Expr();
  });
  CHECK(owners(rewritten) == twice);
  CHECK(owners(with_args(owned(f), {j, j})) == std::multiset<Owner>{f});
  CHECK(array_argument("a", f32, f).node().owner == f);

  CHECK(same(owned(f), owned(f)));
  CHECK_FALSE(same(owned(f), owned(g)));
  CHECK(same(owned(f), owned(nullptr)));
}

TEST_CASE("values are put into reductions over each other, each part once") {
  Expr e = b(i) + a(i, j);
  for (int level = 0; level < 60; ++level) e = sum(Var("k", 0, i), e + e) + e;
  const Expr put_in = put(e, {{"i", i + 1}, {"j", N}});
  Expr expected = b(i + 1) + a(i + 1, N);
  for (int level = 0; level < 60; ++level)
    expected = sum(Var("k", 0, i + 1), expected + expected) + expected;
  CHECK(same(put_in, expected));
}

}  // namespace strata::test::expr_walk_test
