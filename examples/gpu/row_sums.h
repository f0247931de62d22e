// The sum of each row of a matrix.
#pragma once

#include "examples/gpu/example.h"

namespace gpu_examples {

// out(i) = sum of in(i, k).
//
// On the GPU a row is a warp: each of its threads sums every 32nd element, and then adds its part
// to the result. With CUDA these steps are one of the warp, whose threads shuffle the parts.
inline Scheduled row_sums(On on) {
  using namespace strata;
  Function f(kernel("row_sums", on));
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M), k0("k0"), k1("k1"), block("block"), row("row");
  Input in = f.input("in", f32, {N, M});
  Computation out = f.computation("out", {i}, sum(k, in(i, k)));

  if (on == On::gpu) out.split(i, 8, block, row);
  out.split(k, on == On::gpu ? 32 : 8, k0, k1);
  Computation part = out.rfactor(k1, "part");
  if (on == On::gpu) {
    part.compute_at(out, block).interchange(k0, k1);
    out.atomic().gpu_blocks(block).gpu_threads(row, k1);
    part.gpu_threads(row, k1);
  } else {
    part.compute_at(out, i).interchange(k0, k1).vectorize(k1);
    out.parallelize(i);
  }
  return {f, {in.buffer(), out.buffer()}};
}

}  // namespace gpu_examples
