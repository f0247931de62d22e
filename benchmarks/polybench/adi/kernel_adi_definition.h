// Heat conduction by alternating-direction implicit steps: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_adi_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("kernel_adi");
  Param T = f.param("T"), N = f.param("N");
  f.assume(N >= 3);
  Var t("t", 0, T), i("i", 1, N - 1), j("j", 0, N - 1), m("m", 0, N);
  Var rows("i", 0, N), columns("j", 0, N);
  Input grid = f.input("grid", f64, {N, N});
  const Expr n = cast(f64, Expr(N)), square = n * n / cast(f64, Expr(T));
  Computation a = f.computation("a", {}, -square), d = f.computation("d", {}, -0.5 * square);
  Computation b = f.computation("b", {}, 1.0 + 2.0 * square),
              e = f.computation("e", {}, 1.0 + square);
  Computation u = f.computation("u", {rows, columns}, grid(rows, columns));
  Computation p = u, q = u, v = u, p2 = u, q2 = u, next = u, to_u = u;
  f.loop(t, [&] {
    p = f.declare("p", {t, i, j}, f64);
    q = f.declare("q", {t, i, j}, f64);
    v = f.declare("v", {t, i, m}, f64);
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
                   (-a * v(t, j, N - i) + (1.0 + 2.0 * a) * v(t, j, N - 1 - i) -
                    a * v(t, j, N - 2 - i) - d * q2(t, i, j - 1)) /
                       (d * p2(t, i, j - 1) + e)));
  backwards(next, p2, q2);
  u.store_in(grid.buffer());
  return {f, {grid.buffer()}};
}

}  // namespace kernel_adi_benchmark
