// The end of a row in vectors, on machines with and without masks: each number of elements that may
// be left, and what must not run twice.
#include "tests/execution/harness.h"

namespace strata::test::overlap_test {

namespace {

const std::string targets[] = {"host", "x86-64-v3", "x86-64"};

void check_rows(const Function& f, const std::vector<Buffer>& arguments) {
  for (const std::string& target : targets) {
    INFO(target);
    Options options;
    options.target = target;
    options.most_for_oracle = 0;
    Judged rows(f, arguments, options);
    for (std::int64_t n = 0; n <= 25; ++n) rows.check({n, 3});
  }
}

}  // namespace

TEST_CASE("ends of rows in vectors", "[execution]") {
  for (const Type type : {f32, f64, i8, u16, i64}) {
    Function f("rows");
    Param N = f.param("N"), M = f.param("M");
    Var i("i", 0, M), j("j", 0, N);
    Input x = f.input("x", type, {M, N + 2});
    Computation y = f.computation("y", {i, j}, x(i, j) * x(i, j + 1) + x(i, j + 2));
    y.vectorize(j, 8).parallelize(i);
    check_rows(f, {x.buffer(), y.buffer()});
  }
}

TEST_CASE("ends of rows whose vectors read what they store to", "[execution]") {
  Function f("in_place");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, M), j("j", 0, N), t("t", 0, M);
  Input x = f.input("x", i32, {N + 1});
  Computation y = f.computation("y", {j}, 2 * x(j) + x(j + 1));
  y.store_in(x.buffer(), {j});
  Computation z = y.update({t, j}, {j}, 3 * y(j) + 1);
  y.vectorize(j, 8);
  z.vectorize(j, 8);
  check_rows(f, {x.buffer()});
}

TEST_CASE("ends of rows at borders, in folded and turned memory", "[execution]") {
  Function f("borders");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, M), j("j", 0, N);
  Input x = f.input("x", i32, {M, N});
  Computation a = f.computation("a", {i, j}, x(i, clamp(j + 1, 0, N - 1)) + x(i, j));
  Computation b = f.computation("b", {i, j}, select(j < N - 3, a(i, j), 5) * 2);
  Computation c = f.computation("c", {i, j}, a(i, j) + b(i, j));
  for (Computation* row : {&a, &b, &c}) row->vectorize(j, 8);
  b.after(a, i);
  c.after(b, i);
  a.store_in({i % 2, j});
  b.store_in({j, i});
  check_rows(f, {x.buffer(), b.buffer(), c.buffer()});
}

}  // namespace strata::test::overlap_test
