// The transpose of a matrix.
#pragma once

#include "examples/gpu/example.h"

namespace gpu_examples {

// out(j, i) = in(i, j).
//
// On the GPU a block moves 32 x 32 elements through shared memory, so that both its reads and its
// writes run along rows. Row r of the tile is rotated by r: the 32 threads that read a column
// meet 32 different banks.
inline Scheduled transpose(On on) {
  using namespace strata;
  Function f(kernel("transpose", on));
  Param N = f.param("N"), M = f.param("M");
  Var j("j", 0, M), i("i", 0, N), j0("j0"), i0("i0"), j1("j1"), i1("i1"), x("x"), y("y");
  Input in = f.input("in", f32, {N, M});
  Computation out = f.computation("out", {j, i}, in(i, j));

  if (on == On::gpu) {
    out.tile(j, i, 32, 32, j0, i0, j1, i1).gpu_blocks(j0, i0);
    out.split(j1, 8, y, j1).gpu_threads(j1, i1);
    Computation tile = out.cache_shared_at(i0, in, "tile", {Var("r"), x});
    tile.store_in({Var("r"), (x + Var("r")) % 32});
  } else {
    out.tile(j, i, 8, 8, j0, i0, j1, i1).parallelize(j0).vectorize(i1).unroll(j1);
  }
  return {f, {in.buffer(), out.buffer()}};
}

}  // namespace gpu_examples
