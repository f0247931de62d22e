// When the parts of an expression are evaluated.
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "layers/affine/reach.h"
#include "layers/flow/reads.h"
#include "tests/unit/programs.h"

namespace strata::test::reach_test {

namespace {

const Var i("i");
constexpr std::int64_t extent = 12;

bool is_access(const Expr& e) { return e.op() == Op::access; }

// Are the accesses evaluated at some i: certainly, possibly?
struct Truth {
  std::map<const ExprNode*, bool> sure, perhaps;
};

// Walks along every path, by the definition of select.
void walk(const Expr& e, std::int64_t at, bool may, const std::map<const ExprNode*, bool>& data,
          const std::function<bool(const Expr&, std::int64_t)>& holds, Truth& truth) {
  if (is_access(e)) (may ? truth.perhaps : truth.sure)[e.identity()] = true;
  const bool select = e.op() == Op::select;
  const bool known = select && !data.count(e.args()[0].identity());
  for (std::size_t n = 0; n < e.args().size(); ++n) {
    if (known && n > 0 && holds(e.args()[0], at) != (n == 1)) continue;
    walk(e.args()[n], at, may || (select && !known && n > 0), data, holds, truth);
  }
}

// i % c < d, i < d, or a condition on data.
struct Conditions {
  std::map<const ExprNode*, bool> on_data;
  std::map<const ExprNode*, std::pair<std::int64_t, std::int64_t>> affine;
  std::vector<Expr> alive;

  Expr draw(std::mt19937& random) {
    const std::int64_t c = 2 + random() % 4, d = 1 + random() % 9;
    const bool data = random() % 5 == 0;
    const Expr e = data ? at("c", {i}) > 0.0f : random() % 2 ? i % c < d % c : i % 100 < d;
    if (data)
      on_data[e.identity()] = true;
    else
      affine[e.identity()] = {e.args()[0].args()[1].node().integer, e.args()[1].node().integer};
    alive.push_back(e);
    return e;
  }
  bool holds(const Expr& e, std::int64_t at) const {
    const auto [modulus, limit] = affine.at(e.identity());
    return at % modulus < limit;
  }
};

Expr draw_dag(std::mt19937& random, Conditions& conditions) {
  std::vector<Expr> pool;
  for (int n = 0; n < 3; ++n) pool.push_back(at("a", {i + n}));
  for (int n = 0; n < 9; ++n) {
    const auto any = [&] {
      return pool[pool.size() - 1 - random() % std::min<std::size_t>(4, pool.size())];
    };
    pool.push_back(random() % 3 == 0 ? any() + any()
                                     : select(conditions.draw(random), any(), any()));
  }
  return pool.back();
}

isl::set line(const IteratorScope& scope) {
  return isl::set(scope.space.ctx(), "{ S[i] : 0 <= i < " + std::to_string(extent) + " }");
}

bool contains(const isl::set& set, std::int64_t at) {
  const isl::set point(set.ctx(), "{ S[i] : i = " + std::to_string(at) + " }");
  return !set.is_disjoint(point);
}

}  // namespace

TEST_CASE("an expression is evaluated if some path evaluates it", "[reach]") {
  Session session;
  const IteratorScope scope = scope_of(session.isl(), "S", {"i"});
  std::mt19937 random(7);
  for (int n = 0; n < 300; ++n) {
    Conditions conditions;
    const Expr whole = draw_dag(random, conditions);
    const auto found = reached(whole, line(scope), false, scope, is_access);
    for (std::int64_t at = 0; at < extent; ++at) {
      Truth truth, told;
      walk(
          whole, at, false, conditions.on_data,
          [&](const Expr& e, std::int64_t x) { return conditions.holds(e, x); }, truth);
      for (const Reached& r : found)
        if (contains(r.where, at)) (r.may ? told.perhaps : told.sure)[r.e.identity()] = true;
      REQUIRE(told.sure == truth.sure);
      REQUIRE(told.perhaps == truth.perhaps);
    }
  }
}

TEST_CASE("an access under both sides of many selects is evaluated always", "[reach]") {
  Session session;
  const IteratorScope scope = scope_of(session.isl(), "S", {"i"});
  Expr e = at("a", {i});
  for (int k = 0; k < 60; ++k) e = select(i % (k + 2) < (k + 2) / 2, e + 1.0f, e * 3.0f);
  const auto found = reached(e, line(scope), false, scope, is_access);
  REQUIRE(found.size() == 1);
  CHECK(!found[0].may);
  CHECK(found[0].where.is_equal(line(scope)));
}

// Evaluated if an odd number of the conditions holds: 2^59 pieces.
TEST_CASE("a union of too many pieces is taken for all, perhaps", "[reach]") {
  Session session;
  const IteratorScope scope = scope_of(session.isl(), "S", {"i"});
  Expr odd = at("a", {i}), even = constant(f32, 0);
  for (int k = 0; k < 60; ++k) {
    const Expr c = i % (k + 2) < (k + 2) / 2;
    const Expr next = select(c, even + 1.0f, odd + 1.0f);
    even = select(c, odd + 1.0f, even + 1.0f);
    odd = next;
  }
  const isl::set all(session.isl(), "{ S[i] : i >= 0 }");
  const auto found = reached(odd, all, false, scope, is_access);
  REQUIRE(found.size() == 1);
  CHECK(found[0].may);
  CHECK(found[0].where.is_equal(all));
}

}  // namespace strata::test::reach_test
