// A 3 x 3 box blur of a picture of three planes.
#pragma once

#include "examples/gpu/example.h"

namespace gpu_examples {

// by(c, i, j) = the mean of in(c, i .. i + 2, j .. j + 2), in two stages.
//
// On the GPU a block makes 16 x 16 pixels of a plane. It needs 18 x 16 values of bx, which its
// threads compute together, into shared memory.
inline Scheduled blur(On on) {
  using namespace strata;
  Function f(kernel("blur", on));
  Param N = f.param("N"), M = f.param("M");
  Var c("c", 0, 3), x("x", 0, N), i("i", 0, N - 2), j("j", 0, M - 2);
  Input in = f.input("in", f32, {3, N, M});
  Computation bx = f.computation("bx", {c, x, j},
                                 (in(c, x, j) + in(c, x, j + 1) + in(c, x, j + 2)) * (1.0f / 3));
  Computation by = f.computation("by", {c, i, j},
                                 (bx(c, i, j) + bx(c, i + 1, j) + bx(c, i + 2, j)) * (1.0f / 3));

  Var i0("i0"), j0("j0"), i1("i1"), j1("j1");
  if (on == On::gpu) {
    by.gpu_tile(i, j, 16, 16, i0, j0, i1, j1);
    bx.compute_at(by, j0);
    bx.cache_shared_at(by, j0);
  } else {
    by.split(i, 32, i0, i1).parallelize(i0).vectorize(j, 8);
    bx.compute_at(by, i0).vectorize(j, 8);
  }
  return {f, {in.buffer(), by.buffer()}};
}

}  // namespace gpu_examples
