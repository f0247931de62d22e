// The last writers of values read: every read of these programs is compared with an execution, and
// the size of the relations is bounded.
#include "layers/flow/last_writers.h"

#include <strata/strata.h>

#include <catch2/catch.hpp>

#include "core/sets/quotients.h"
#include "reference/dataflow.h"
#include "reference/inputs.h"

namespace strata::test::last_writers_test {

namespace {

// Checks the reads of all definitions against an execution in the reference order.
void check(const Function& f, const std::vector<long long>& sizes) {
  const Program& program = f.program();
  for (const long long n : sizes) {
    INFO("N = " << n);
    const reference::Parameters size{{"N", n}};
    const auto inputs = reference::random_inputs(program, size, 3);
    CHECK(reference::dataflow_differences(program, size, inputs) == std::vector<std::string>{});
  }
}

int disjuncts(const Function& f, const std::string& reader, const std::string& producer) {
  int count = 0;
  for (const Read& read : f.program().algorithm->find(reader)->reads)
    if (read.producer == producer) count += size_of(isl::map(read.relation)).disjuncts;
  return count;
}

}  // namespace

TEST_CASE("the last writer lies one iteration back, here or further out", "[reads]") {
  Function f("f");
  Param N = f.param("N");
  Var t("t", 0, N), i("i", 1, N - 1), a("a", 0, N);
  Input in = f.input("in", f64, {N});
  Computation u = f.computation("u", {a}, in(a));
  u.update({t, i}, {i}, u(i - 1) + u(i) + u(i + 1));
  check(f, {2, 3, 6});
}

TEST_CASE("the last writer lies several iterations back", "[reads]") {
  Function f("f");
  Param N = f.param("N");
  Var t("t", 0, N), i("i", 0, N);
  Input in = f.input("in", f64, {N});
  Computation u = f.computation("u", {i}, in(i));
  u.update({t, i}, {i}, u(i) + 1.0).where(i % 3 == t % 3);
  check(f, {1, 4, 8});
}

TEST_CASE("one instance reads elements whose last writers lie in different iterations", "[reads]") {
  Function f("f");
  Param N = f.param("N");
  Var t("t", 0, N), i("i", 0, N);
  Input in = f.input("in", f64, {N}), at = f.input("at", i32, {N});
  Computation u = f.computation("u", {i}, in(i));
  Computation s = u;
  f.loop(t, [&] {
    u.update({t}, {t}, u(t) + 1.0);
    s = f.computation("s", {t}, u(clamp(at(t), 0, cast(i32, N) - 1)));
  });
  check(f, {1, 2, 5});
}

TEST_CASE("writers beside the reader, in the order in which they stand", "[reads]") {
  Function f("f");
  Param N = f.param("N");
  Var t("t", 0, N), i("i", 0, N);
  Input in = f.input("in", f64, {N});
  Computation u = f.computation("u", {i}, in(i)), s = u;
  f.loop(t, [&] {
    u.update({t, i}, {i}, u(i) + 1.0).where(i < 4);
    u.update({t, i}, {i}, u(i) * 2.0).where(i < 2);
    s = f.computation("s", {t, i}, u(i));
    u.update({t, i}, {i}, u(i) - 3.0).where(i > 2);
  });
  check(f, {1, 3, 6});
}

// Floyd-Warshall steps, those of a block's rows and columns first.
TEST_CASE("updates that share the elements by blocks", "[reads]") {
  Function f("f");
  Param N = f.param("N");
  Var k("k", 0, N), i("i", 0, N), j("j", 0, N);
  Input path = f.input("path", f64, {N, N});
  Computation d = f.computation("d", {i, j}, path(i, j)), from = d, to = d;
  f.loop(k, [&] {
    from = f.computation("from", {k, j}, d(k, j));
    to = f.computation("to", {k, i}, d(i, k));
    const auto through = [&](const Expr& where) {
      d.update({k, i, j}, {i, j}, min(d(i, j), to(k, i) + from(k, j))).where(where);
    };
    through(i / 2 == k / 2);
    through(i / 2 != k / 2 && j / 2 == k / 2);
    through(i / 2 != k / 2 && j / 2 != k / 2);
  });
  check(f, {1, 2, 5});
  // An element has one writer per step, so no case is split by other writers.
  CHECK(disjuncts(f, "from", "d_1") <= 2);
  CHECK(disjuncts(f, "d_3", "d_1") <= 3);
  CHECK(disjuncts(f, "d_3", "d_2") <= 4);
}

}  // namespace strata::test::last_writers_test
