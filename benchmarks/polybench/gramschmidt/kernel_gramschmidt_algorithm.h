// A = Q R with orthonormal columns of Q, by the modified Gram-Schmidt process, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_gramschmidt_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64);
  Function f("kernel_gramschmidt");
  Param M = f.param("M"), N = f.param("N");
  f.assume(M > 0);
  Var i("i", 0, M), j("j", 0, N), k("k", 0, N), right("j", k + 1, N);
  Input matrix = f.input("A", f64, {M, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j));
  Computation squares = a, head = a, unit = a, q = a, r = a, rest = a;
  f.loop(k, [&] {
    squares = f.computation("squares", {k}, sum(i, a(i, k) * a(i, k)));
    head = f.computation("head", {k}, sqrt(squares(k)));
    unit = f.computation("unit", {k, i}, a(i, k) / head(k));
    q = f.computation("Q", {k, i}, unit(k, i));
    r = f.computation("R", {k, right}, sum(i, unit(k, i) * a(i, right)));
    rest = a.update({k, i, right}, {i, right}, a(i, right) - unit(k, i) * r(k, right));
  });
  a.store_in(matrix.buffer());
  r.store_in(r.buffer());
  head.store_in(r.buffer(), {k, k});
  q.store_in({i, k});
  unit.store_in({i});

  Var j0("j0"), j1("j1"), lane("lane");
  rest.interchange(i, j)
      .split(j, m.fitting(2, 1000 * sizeof(double)), j0, j1)
      .interchange(j1, i)
      .vectorize(j1, lanes, j1, lane)
      .separate(lane);
  r.compute_at(rest, j0).interchange(j, i).vectorize(j, lanes, j, lane).separate(lane);
  rest.parallelize(j0);
  return {f, {matrix.buffer(), r.buffer(), q.buffer()}};
}

}  // namespace kernel_gramschmidt_benchmark
