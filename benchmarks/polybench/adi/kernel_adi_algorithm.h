// Heat conduction by alternating-direction implicit steps, and their schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_adi_benchmark {

// Each step solves a tridiagonal system for every column, then one for every row:
//     p(0) = 0,  p(j) = -c / (a p(j - 1) + b)
//     q(0) = 1,  q(j) = (right side - a q(j - 1)) / (a p(j - 1) + b)
// and backwards v(N - 1) = 1, v(j) = p(j) v(j + 1) + q(j).
inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function f("kernel_adi");
  Param T = f.param("T"), N = f.param("N");
  f.assume(N >= 3);
  Var t("t", 0, T), i("i", 1, N - 1), j("j", 0, N - 1), m("m", 0, N);
  Var rows("i", 0, N), columns("j", 0, N), inner("j", 1, N - 1);
  Input grid = f.input("grid", f64, {N, N});
  const Expr n = cast(f64, Expr(N)), square = n * n / cast(f64, Expr(T));
  Computation a = f.computation("a", {}, -square), d = f.computation("d", {}, -0.5 * square);
  Computation b = f.computation("b", {}, 1.0 + 2.0 * square),
              e = f.computation("e", {}, 1.0 + square);
  Computation u = f.computation("u", {rows, columns}, grid(rows, columns));
  Computation p = u, q = u, v = u, turned = u, p2 = u, q2 = u, next = u, to_u = u;
  f.loop(t, [&] {
    p = f.declare("p", {t, i, j}, f64);
    q = f.declare("q", {t, i, j}, f64);
    v = f.declare("v", {t, i, m}, f64);
    turned = f.computation("turned", {t, rows, inner}, v(t, inner, N - 1 - rows));
    p2 = f.declare("p2", {t, i, j}, f64);
    q2 = f.declare("q2", {t, i, j}, f64);
    next = f.declare("next", {t, i, m}, f64);
    to_u = u.update({t, i, columns}, {i, columns}, next(t, i, N - 1 - columns));
  });
  // Column i of v, or row i of u, from the last element to the first; both ends are 1.
  const auto backwards = [&](Computation& x, const Computation& p, const Computation& q) {
    const Expr inside = p(t, i, N - 1 - m) * x(t, i, m - 1) + q(t, i, N - 1 - m);
    x.define(select(m == 0 || m == N - 1, 1.0, inside));
  };
  p.define(select(j == 0, 0.0, -a / (a * p(t, i, j - 1) + b)));
  q.define(
      select(j == 0, 1.0,
             (-d * u(j, i - 1) + (1.0 + 2.0 * d) * u(j, i) - d * u(j, i + 1) - a * q(t, i, j - 1)) /
                 (a * p(t, i, j - 1) + b)));
  backwards(v, p, q);
  p2.define(select(j == 0, 0.0, -d / (d * p2(t, i, j - 1) + e)));
  q2.define(select(j == 0, 1.0,
                   (-a * turned(t, i - 1, j) + (1.0 + 2.0 * a) * turned(t, i, j) -
                    a * turned(t, i + 1, j) - d * q2(t, i, j - 1)) /
                       (d * p2(t, i, j - 1) + e)));
  backwards(next, p2, q2);
  u.store_in(grid.buffer());
  for (Computation* x : {&p, &q, &p2, &q2}) x->store_in({j, i});
  for (Computation* x : {&v, &next}) x->store_in({m, i});

  Var lane("lane");
  const auto lines = [&](Computation& down, Computation& right_side, Computation& up) {
    right_side.after(down, j);
    down.split(i, 2 * lanes, i, lane).interchange(lane, j).vectorize(lane).mask(lane);
    up.split(i, 2 * lanes, i, lane).interchange(lane, m).vectorize(lane).mask(lane);
    up.after(right_side, i);
    for (Computation* x : {&down, &right_side}) x->allocate_at(down, i);
  };
  lines(p, q, v);
  lines(p2, q2, next);
  turned.compute_at(q2, i).store_in({inner, rows});
  to_u.split(i, 2 * lanes, i, lane).interchange(lane, j).vectorize(lane).mask(lane).after(next, i);
  next.allocate_at(next, i);
  for (Computation* x : {&p, &p2}) x->parallelize(i);
  return {f, {grid.buffer()}};
}

}  // namespace kernel_adi_benchmark
