// Which vectors at the end of a row run some of the vector before again.
#include "codegen/halide/emit/overlap.h"

#include <functional>

#include "codegen/lower.h"
#include "schedule/finish.h"
#include "strata/strata.h"

namespace strata::test::overlap_test {

namespace {

int count_overlaps(const StmtPtr& s) {
  int count = 0;
  if (const auto* block = std::get_if<Block>(s.get())) {
    const std::vector<StmtPtr> parts = halide::with_overlaps(block->body, std::equal_to<>());
    for (std::size_t n = 0; n < parts.size(); ++n) count += parts[n] != block->body[n];
  }
  for_each_inside(*s, [&](const StmtPtr& part) { count += count_overlaps(part); });
  return count;
}

int overlaps(const Function& f, const std::vector<std::string>& arguments) {
  LowerOptions options;
  options.arguments = arguments;
  return count_overlaps(lower(finished(f.program(), arguments, {}), options).body);
}

struct Rows {
  Function f{"rows"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, M}, j{"j", 0, N};
  Input x = f.input("x", f32, {M, N});
};

}  // namespace

TEST_CASE("the last vector of a row overlaps the one before", "[overlap]") {
  Rows p;
  p.f.computation("y", {p.i, p.j}, p.x(p.i, p.j) * 2.0f).vectorize(p.j, 8);
  CHECK(overlaps(p.f, {"x", "y"}) == 1);
}

TEST_CASE("no vector overlaps that reads what it stores to", "[overlap]") {
  Rows p;
  Computation y = p.f.computation("y", {p.i, p.j}, p.x(p.i, p.j) * 2.0f);
  y.vectorize(p.j, 8).store_in(p.x.buffer());
  CHECK(overlaps(p.f, {"x"}) == 0);
  Rows sums;
  Var k("k", 0, sums.M);
  Computation s = sums.f.computation("s", {sums.j}, sum(k, sums.x(k, sums.j)));
  s.interchange(sums.j, k).vectorize(sums.j, 8);
  CHECK(overlaps(sums.f, {"x", "s"}) == 1);  // the vectors that clear the sums
}

TEST_CASE("no vector overlaps one whose border has other code", "[overlap]") {
  Rows ends;
  const Expr next = ends.x(ends.i, clamp(ends.j + 1, 0, ends.N - 1));
  ends.f.computation("y", {ends.i, ends.j}, next).vectorize(ends.j, 8);
  CHECK(overlaps(ends.f, {"x", "y"}) == 0);
}

}  // namespace strata::test::overlap_test
