// Four steps of a 5-point stencil at a time.
#pragma once

#include <vector>

#include "examples/gpu/example.h"

namespace gpu_examples {

// The steps of stencil.h in groups of four: with s = 0 .. S - 1,
//     first(s), second(s), third(s), u(s) = the steps 4 s + 1 .. 4 s + 4, and out = u(S - 1).
//
// On the GPU a group is a launch. A block computes a tile of its last step; the tiles of the three
// steps before, larger by one point on each side for each, stay in shared memory.
inline Scheduled stencil_tiles(On on) {
  using namespace strata;
  Function f(kernel("stencil_tiles", on));
  Param S = f.param("S"), N = f.param("N"), M = f.param("M");
  f.assume(S >= 1);
  Var s("s", 0, S), i("i", 0, N), j("j", 0, M), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input start = f.input("start", f32, {N, M});
  const auto step = [&](auto&& before) {
    const auto at = [&](const Expr& y, const Expr& x) {
      return before(clamp(y, 0, N - 1), clamp(x, 0, M - 1));
    };
    return 0.5f * at(i, j) + 0.125f * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
  };
  std::vector<Computation> steps;
  f.loop(s, [&] {
    steps.push_back(f.declare("first", {s, i, j}, f32));
    for (const char* name : {"second", "third", "u"})
      steps.push_back(f.computation(name, {s, i, j}, step([&](const Expr& y, const Expr& x) {
                                      return steps.back()(s, y, x);
                                    })));
    steps[0].define(step([&](const Expr& y, const Expr& x) {
      return select(s == 0, start(y, x), steps[3](s - 1, y, x));
    }));
  });
  Computation u = steps[3];
  Computation out = f.computation("out", {i, j}, u(S - 1, i, j));

  u.store_in({s % 2, i, j});
  if (on == On::gpu) {
    u.gpu_tile(i, j, 16, 32, i0, j0, i1, j1);
    for (int n = 2; n >= 0; --n) steps[n].cache_shared_at(u, j0);
    out.gpu_tile(i, j, 8, 32);
  } else {
    for (int n = 0; n < 3; ++n) steps[n].store_in({i, j}).parallelize(i).vectorize(j, 8);
    u.parallelize(i).vectorize(j, 8);
    out.parallelize(i).vectorize(j, 8);
  }
  return {f, {start.buffer(), out.buffer()}};
}

}  // namespace gpu_examples
