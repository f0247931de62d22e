// Four steps of a 5-point stencil at a time.
#pragma once

#include "examples/gpu/example.h"

namespace gpu_examples {

// The steps of stencil.h in groups of four: with s = 0 .. S - 1,
//     first(s), second(s), third(s), u(s) = the steps 4 s + 1 .. 4 s + 4, and out = u(S - 1).
//
// On the GPU a group is a launch.  A block computes a tile of its last step; the tiles of the three
// steps before, larger by one point on each side for each, stay in shared memory.
inline Scheduled stencil_tiles(On on) {
  using namespace strata;
  Function f(kernel("stencil_tiles", on));
  Param S = f.param("S"), N = f.param("N"), M = f.param("M");
  f.assume(S >= 1);
  Var s("s", 0, S), i("i", 0, N), j("j", 0, M), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input start = f.input("start", f32, {N, M});
  Computation u = f.declare("u", {s, i, j}, f32);
  const auto step = [&](auto&& before) {
    const auto at = [&](const Expr& y, const Expr& x) {
      return before(clamp(y, 0, N - 1), clamp(x, 0, M - 1));
    };
    return 0.5f * at(i, j) +
           0.125f * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
  };
  Computation first = f.computation("first", {s, i, j}, step([&](const Expr& y, const Expr& x) {
    return select(s == 0, start(y, x), u(s - 1, y, x));
  }));
  const auto after = [&](Computation& before) {
    return step([&](const Expr& y, const Expr& x) { return before(s, y, x); });
  };
  Computation second = f.computation("second", {s, i, j}, after(first));
  Computation third = f.computation("third", {s, i, j}, after(second));
  u.define(after(third));
  Computation out = f.computation("out", {i, j}, u(S - 1, i, j));

  u.store_in({s % 2, i, j});
  if (on == On::gpu) {
    u.gpu_tile(i, j, 16, 32, i0, j0, i1, j1);
    for (Computation* before : {&third, &second, &first}) before->cache_shared_at(u, j0);
    out.gpu_tile(i, j, 8, 32);
  } else {
    u.split(i, 32, i0, i1).parallelize(i0).vectorize(j, 8);
    for (Computation* before : {&third, &second, &first}) before->compute_at(u, i0).vectorize(j, 8);
    out.parallelize(i).vectorize(j, 8);
  }
  return {f, {start.buffer(), out.buffer()}};
}

}  // namespace gpu_examples
