// Heat conduction by alternating direction implicit steps, and their schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_adi_benchmark {

// Each step solves a tridiagonal system for every column, then one for every row:
//     p(0) = 0, p(j) = -c / (a p(j - 1) + b);  q(0) = 1, q(j) = (right side - a q(j - 1)) / (same)
// and backwards v(N - 1) = 1, v(j) = p(j) v(j + 1) + q(j).
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_adi");
  Param T = f.param("T"), N = f.param("N");
  f.assume(N >= 3);
  Var t("t", 0, T), i("i", 1, N - 1), j("j", 0, N - 1), m("m", 0, N), back("m", 1, N - 1);
  Var rows("i", 0, N), columns("j", 0, N);
  Input grid = f.input("grid", f64, {N, N});
  const Expr n = cast(f64, Expr(N)), square = n * n / cast(f64, Expr(T));
  Computation a = f.computation("a", {}, -square), d = f.computation("d", {}, -0.5 * square);
  Computation b = f.computation("b", {}, 1.0 + 2.0 * square),
              e = f.computation("e", {}, 1.0 + square);
  Computation u = f.computation("u", {rows, columns}, grid(rows, columns));
  Computation p = u, q = u, v = u, p2 = u, q2 = u, first = u, last = u, to_u = u;
  f.loop(t, [&] {
    p = f.declare("p", {t, i, j}, f64);
    q = f.declare("q", {t, i, j}, f64);
    v = f.declare("v", {t, i, m}, f64);
    first = u.update({t, i}, {i, 0}, 1.0);
    last = u.update({t, i}, {i, N - 1}, 1.0);
    p2 = f.declare("p2", {t, i, j}, f64);
    q2 = f.declare("q2", {t, i, j}, f64);
    to_u = u.update({t, i, back}, {i, N - 1 - back},
                    p2(t, i, N - 1 - back) * u(i, N - back) + q2(t, i, N - 1 - back));
  });
  // v is kept with its rows as columns: v(t, i, m) is column i, from below.
  const auto whole_v = [&](const Expr& row, const Expr& column) {
    return select(row == 0 || row == N - 1, 1.0, v(t, column, N - 1 - row));
  };
  p.define(select(j == 0, 0.0, -a / (a * p(t, i, j - 1) + b)));
  q.define(
      select(j == 0, 1.0,
             (-d * u(j, i - 1) + (1.0 + 2.0 * d) * u(j, i) - d * u(j, i + 1) - a * q(t, i, j - 1)) /
                 (a * p(t, i, j - 1) + b)));
  v.define(
      select(m == 0 || m == N - 1, 1.0, p(t, i, N - 1 - m) * v(t, i, m - 1) + q(t, i, N - 1 - m)));
  p2.define(select(j == 0, 0.0, -d / (d * p2(t, i, j - 1) + e)));
  q2.define(select(j == 0, 1.0,
                   (-a * whole_v(i - 1, j) + (1.0 + 2.0 * a) * whole_v(i, j) -
                    a * whole_v(i + 1, j) - d * q2(t, i, j - 1)) /
                       (d * p2(t, i, j - 1) + e)));
  u.store_in(grid.buffer());
  for (Computation* w : {&p, &q, &v, &p2, &q2}) w->store_in({i, w == &v ? m : j});

  Var lane("lane");
  const auto eight_lines = [&](Computation& down, Computation& right_side, Computation& up) {
    right_side.after(down, j);
    down.split(i, 8, i, lane).interchange(lane, j).vectorize(lane).mask(lane);
    up.split(i, 8, i, lane).interchange(lane, m).vectorize(lane).mask(lane);
    up.after(right_side, i);
    down.parallelize(i);
  };
  eight_lines(p, q, v);
  eight_lines(p2, q2, to_u);
  return {f, {grid.buffer()}};
}

}  // namespace kernel_adi_benchmark
