// Steps of the heat equation with the change in each of them, and their schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace heat_example {

// u(t) is an N x M grid after t of T steps, with a fixed border; r = diffusivity * dt / dx^2:
//     u(t, i, j) = u(t-1, i, j) + r (u(t-1, i-1, j) + u(t-1, i+1, j) + u(t-1, i, j-1)
//                                    + u(t-1, i, j+1) - 4 u(t-1, i, j))
//     change(t)  = sum over i and j of (u(t + 1, i, j) - u(t, i, j))^2
// A row of the grid has a sum of its own, so that rows may run at the same time.
struct Heat {
  strata::Function function;
  strata::Input grid, r;
  strata::Computation u, row, change, last;

  examples::Scheduled with_arguments() const {
    return {function, {grid.buffer(), r.buffer(), change.buffer(), last.buffer()}};
  }
};

inline Heat algorithm() {
  using namespace strata;
  Function f("heat");
  Param T = f.param("T"), N = f.param("N"), M = f.param("M");
  f.assume(T >= 0);
  Var t("t", 0, T + 1), step("t", 1, T + 1), i("i", 1, N - 1), j("j", 1, M - 1), s("s", 0, T);
  Input grid = f.input("grid", f32, {N, M}), r = f.input("r", f32, {});
  std::vector<Computation> made;  // u, row
  f.loop(t, [&] {
    Computation u = f.declare("u", {t, i, j}, f32);
    const Expr up = select(i > 1, u(t - 1, i - 1, j), grid(i - 1, j));
    const Expr down = select(i < N - 2, u(t - 1, i + 1, j), grid(i + 1, j));
    const Expr left = select(j > 1, u(t - 1, i, j - 1), grid(i, j - 1));
    const Expr right = select(j < M - 2, u(t - 1, i, j + 1), grid(i, j + 1));
    const Expr old = u(t - 1, i, j);
    u.define(select(t > 0, old + r * (up + down + left + right - 4.0f * old), grid(i, j)));
    const Expr difference = u(step, i, j) - u(step - 1, i, j);
    made = {u, f.computation("row", {step, i}, sum(j, difference * difference))};
  });
  const Computation &u = made[0], &row = made[1];
  Computation change = f.computation("change", {s}, sum(i, row(s + 1, i)));
  Var x("x", 0, N), y("y", 0, M);
  const Expr inside = x > 0 && x < N - 1 && y > 0 && y < M - 1;
  Computation last = f.computation("last", {x, y}, select(inside, u(T, x, y), grid(x, y)));
  return {f, grid, r, u, row, change, last};
}

// Two grids are kept. A row of changes is added as soon as the row is there, while both of its
// versions are in the first cache. Tiles of steps and rows, skewed so that none needs a later one,
// make several steps on rows that stay in the second cache; those on a diagonal run in parallel.
inline examples::Scheduled scheduled() {
  const strata::Machine m = strata::machine();
  const int lanes = m.lanes(strata::f32);
  Heat h = algorithm();
  strata::Var t("t"), i("i"), j("j"), lane("lane"), t0("t0"), i0("i0"), t1("t1"), i1("i1"),
      wave("wave");
  const auto rows = m.fitting(2, 2 * 2000 * bytes(strata::f32));  // of both grids, 2000 wide
  h.u.store_in({t % 2, i, j});
  h.u.vectorize(j, lanes);
  h.row.after(h.u, i);
  h.row.split(j, 4 * lanes, j, lane);
  strata::Computation row_of = h.row.rfactor(lane, "row_of");
  row_of.vectorize(lane);
  h.u.skew(t, i, 1, 0, 1, 1, t, i);
  h.u.tile(t, i, rows, rows, t0, i0, t1, i1);
  h.u.skew(t0, i0, 1, 1, wave, i0);
  h.u.parallelize(i0);
  h.last.vectorize("y", lanes);
  return h.with_arguments();
}

}  // namespace heat_example
