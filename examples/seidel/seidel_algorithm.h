// Gauss-Seidel sweeps over a grid, in place, and their schedule.
#pragma once

#include <string>

#include "examples/common/scheduled.h"

namespace seidel_example {

// T sweeps over the interior of an N x M grid. Each point becomes the mean of itself and its four
// neighbours, where the upper and the left one have already been updated in this sweep:
//     u(t, i, j) = (u(t, i - 1, j) + u(t - 1, i, j) + u(t - 1, i, j + 1) + u(t - 1, i + 1, j)
//                   + u(t, i, j - 1)) / 5
// where the given grid supplies the values before the first sweep and on the border. The left one
// is added last, since it is the last to be known.
struct Seidel {
  strata::Function function{"seidel"};
  strata::Param T = function.param("T"), N = function.param("N"), M = function.param("M");
  strata::Input grid = function.input("grid", strata::f32, {N, M});
  strata::Var t{"t", 0, T}, i{"i", 1, N - 1}, j{"j", 1, M - 1};
  strata::Computation u = function.declare("u", {t, i, j}, strata::f32);

  Seidel() {
    const strata::Expr up = select(i > 1, u(t, i - 1, j), grid(i - 1, j));
    const strata::Expr left = select(j > 1, u(t, i, j - 1), grid(i, j - 1));
    const strata::Expr self = select(t > 0, u(t - 1, i, j), grid(i, j));
    const strata::Expr right = select(t > 0 && j < M - 2, u(t - 1, i, j + 1), grid(i, j + 1));
    const strata::Expr down = select(t > 0 && i < N - 2, u(t - 1, i + 1, j), grid(i + 1, j));
    u.define((up + self + right + down + left) * 0.2f);
  }
};

// Rows cannot run at the same time: each needs the one above. Returns the text of the refusal.
inline std::string refusal_without_skew() try {
  Seidel seidel;
  seidel.u.parallelize(seidel.i);
  return "";
} catch (const strata::Error& error) {
  return error.what();
}

// Each tile of the grid runs after the tiles above and to the left. Tiles on a diagonal,
// i0 + j0 = wave, are independent and run in parallel. A tile is as high as a square that fits the
// first cache and as wide as one that fits the second: it fits the second, and has many rows.
// Within a tile, too, points on a diagonal are independent: a point of each of eight rows is
// computed at a time, so that the additions of one do not wait for those of the next.
inline examples::Scheduled scheduled(
    std::int64_t rows = strata::machine().square(1, bytes(strata::f32)),
    std::int64_t columns = strata::machine().square(2, bytes(strata::f32))) {
  using namespace strata;
  Seidel seidel;
  Computation& u = seidel.u;
  Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), wave("wave"), i2("i2");
  u.store_in(seidel.grid.buffer(), {seidel.i, seidel.j});
  u.tile(seidel.i, seidel.j, rows, columns, i0, j0, i1, j1);
  u.skew(i0, j0, 1, 1, wave, j0);
  u.parallelize(j0);
  u.split(i1, 8, i1, i2);
  u.skew(i2, j1, 1, 0, 1, 1, i2, j1).interchange(i2, j1);
  u.unroll(i2).separate(i2);
  return {seidel.function, {seidel.grid.buffer()}};
}

}  // namespace seidel_example
