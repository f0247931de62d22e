// Many products of 32 x 32 matrices.
#pragma once

#include "examples/gpu/example.h"

namespace gpu_examples {

// c(n) = a(n) b(n) for each of B pairs.
//
// On the GPU a pair is a block of 8 x 32 threads.
inline Scheduled batched(On on) {
  using namespace strata;
  Function f(kernel("batched", on));
  Param B = f.param("B");
  Var n("n", 0, B), i("i", 0, 32), j("j", 0, 32), k("k", 0, 32), i0("i0"), i1("i1"), p("p"), x("x"),
      y("y");
  Input a = f.input("a", f32, {B, 32, 32}), b = f.input("b", f32, {B, 32, 32});
  Computation c = f.computation("c", {n, i, j}, sum(k, a(n, i, k) * b(n, k, j)));

  if (on == On::gpu) {
    c.split(i, 8, i0, i1).gpu_blocks(n).interchange(i0, i1).interchange(i0, j);
    c.gpu_threads(i1, j);
    c.cache_shared_at(n, a, "tile_a", {p, x, y});
    c.cache_shared_at(n, b, "tile_b", {p, x, y});
  } else {
    c.parallelize(n).interchange(j, k).vectorize(j, 8);
  }
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

}  // namespace gpu_examples
