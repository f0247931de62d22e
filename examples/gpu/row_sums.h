// The sum of each row of a matrix.
#pragma once

#include "examples/gpu/example.h"

namespace gpu_examples {

// out(i) = sum of in(i, k).
//
// On the GPU a row is a block of 128 threads.  Each thread sums every 128th element; 16 of them add
// every 16th partial sum, and the first one adds those.
inline Scheduled row_sums(On on) {
  using namespace strata;
  Function f(kernel("row_sums", on));
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M), k0("k0"), k1("k1"), k2("k2"),
      k3("k3");
  Input in = f.input("in", f32, {N, M});
  Computation out = f.computation("out", {i}, sum(k, in(i, k)));

  out.split(k, on == On::gpu ? 128 : 8, k0, k1);
  Computation part = out.rfactor(k1, "part");
  part.compute_at(out, i).interchange(k0, k1);
  if (on == On::gpu) {
    Computation few = out.split(k1, 16, k3, k2).rfactor(k2, "few");
    few.compute_at(out, i);
    out.gpu_blocks(i);
    part.gpu_threads(k1).set_memory(Memory::shared);
    few.gpu_threads(k2).set_memory(Memory::shared);
  } else {
    part.vectorize(k1);
    out.parallelize(i);
  }
  return {f, {in.buffer(), out.buffer()}};
}

}  // namespace gpu_examples
