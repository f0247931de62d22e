// The estimated time of parallel loops, compared with counts by hand.
#include <strata/strata.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "codegen/lower.h"
#include "codegen/remarks/estimate.h"
#include "schedule/finish.h"

namespace strata::test::work_test {

namespace {

const For* find_parallel(const StmtPtr& stmt) {
  const auto* loop = std::get_if<For>(stmt.get());
  if (loop && is_concurrent(loop->processor)) return loop;
  const For* found = nullptr;
  for_each_inside(*stmt, [&](const StmtPtr& part) { found = found ? found : find_parallel(part); });
  return found;
}

// The cycles of the first parallel loop on a machine with two multiply-adds of latency 5 and two
// loads of 32 bytes each cycle.
double cycles(const Function& f, const std::vector<std::string>& arguments, const Values& sizes) {
  LowerOptions options;
  options.arguments = arguments;
  const Kernel kernel = lower(finished(f.program(), arguments, {}), options);
  const For* loop = find_parallel(kernel.body);
  REQUIRE(loop);
  return estimated_cycles(work_of(*loop, machine("x86-64-v3")), sizes);
}

struct Rows {
  Function f{"f"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N}, j{"j", 0, M}, eight{"j", 0, 64};
  Input in = f.input("in", f32, {N, M}), line = f.input("line", f32, {N});
  Input place = f.input("place", i64, {N});

  double cycles_at(std::int64_t n, std::int64_t m) const {
    return cycles(f, {"in", "line", "place", "S"}, {{"N", n}, {"M", m}});
  }
};

}  // namespace

// A multiply-add takes 1 / 2 cycle, a load 1 / 2, a store 1: together 1. An iteration of the outer
// loop takes another.
TEST_CASE("work: loops in loops", "[work]") {
  Rows r;
  r.f.computation("S", {r.i, r.j}, r.in(r.i, r.j) * 2.0f + 1.0f).parallelize(r.i);
  CHECK(r.cycles_at(10, 100) == 10 * (100 * 1 + 1));
  CHECK(r.cycles_at(10, 0) == 10);
  CHECK(r.cycles_at(-5, 100) == 0);
  // No overflow.
  CHECK(r.cycles_at(std::int64_t{1} << 60, std::int64_t{1} << 60) > 1e36);
}

TEST_CASE("work: vectors and copies", "[work]") {
  Rows r, copies;
  r.f.assume(r.M >= 64);
  copies.f.assume(copies.M >= 64);
  r.f.computation("S", {r.i, r.eight}, r.line(r.i) * 2.0f + r.in(r.i, r.eight))
      .vectorize(r.eight, 16)
      .parallelize(r.i);
  // 4 iterations with two stores.
  CHECK(r.cycles_at(10, 64) == 10 * 4 * 2);
  copies.f.computation("S", {copies.i, copies.eight}, copies.in(copies.i, copies.eight))
      .unroll(copies.eight, 4)
      .parallelize(copies.i);
  CHECK(copies.cycles_at(10, 64) == 10 * 16 * 4);
}

TEST_CASE("work: bounds that depend on iterators count in the middle", "[work]") {
  Rows r;
  Var below("j", 0, 2 * r.i + 1);
  r.f.assume(r.M >= 2 * r.N);
  r.f.computation("S", {r.i, below}, r.in(r.i, below)).parallelize(r.i);
  CHECK(r.cycles_at(101, 202) == 101 * (101 * 1 + 1));
}

TEST_CASE("work: a sum waits for its last addition", "[work]") {
  Rows r;
  r.f.computation("S", {r.i}, sum(r.j, r.in(r.i, r.j))).parallelize(r.i);
  // The initial value is a store.
  CHECK(r.cycles_at(10, 100) == 10 * (1 + 100 * 5 + 1));
}

TEST_CASE("work: divisions, functions and elements found by data", "[work]") {
  Rows quotient, product, exponential, found;
  quotient.f.computation("S", {quotient.i}, 1.0f / quotient.line(quotient.i))
      .parallelize(quotient.i);
  CHECK(quotient.cycles_at(10, 1) == 10 * 8);
  product.f.computation("S", {product.i}, product.line(product.i) / 3.0f).parallelize(product.i);
  CHECK(product.cycles_at(10, 1) == 10);
  exponential.f.computation("S", {exponential.i}, exp(exponential.line(exponential.i)))
      .parallelize(exponential.i);
  CHECK(exponential.cycles_at(10, 1) == 10 * 30);
  const Expr index = clamp(found.place(found.i), 0, found.N - 1);
  found.f.computation("S", {found.i}, found.line(index)).parallelize(found.i);
  CHECK(found.cycles_at(10, 1) == 10 * (0.5 + 1));
}

TEST_CASE("work: loads that stay in a register take no time", "[work]") {
  Rows r;
  const Expr four = r.in(r.i, 0) + r.in(r.i, 1) + r.in(r.i, 2) + r.in(r.i, 3);
  r.f.assume(r.M >= 64 && r.N >= 2);
  r.f.computation("S", {r.i, r.eight}, four * r.line(r.eight % 2)).parallelize(r.i);
  // Of 5 loads, one changes; of 4 operations, the multiplication joins an addition.
  CHECK(r.cycles_at(10, 64) == 10 * 64 * 1.5);
}

TEST_CASE("work: a condition counts as in the middle", "[work]") {
  Rows r;
  r.f.assume(r.M >= r.N);
  Var below("j", 0, r.i + 1);
  r.f.computation("S", {r.i, below}, r.in(r.i, below)).split(r.i, 64, "i0", "i1").parallelize("i0");
  const double whole = r.cycles_at(640, 640);
  // About half of 640 x 640 stores, once each, not once for full and once for partial tiles.
  CHECK(whole > 0.4 * 640 * 640);
  CHECK(whole < 0.7 * 640 * 640);
}

TEST_CASE("work: what nobody knows is infinite", "[work]") {
  Rows r;
  r.f.computation("S", {r.i}, call(f32, "author_function", {r.line(r.i)})).parallelize(r.i);
  CHECK(std::isinf(r.cycles_at(10, 1)));
}

}  // namespace strata::test::work_test
