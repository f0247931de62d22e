// A matrix product of any size.
#pragma once

#include "examples/gpu/example.h"

namespace gpu_examples {

// c = a b.
//
// On the GPU a block of 16 x 16 threads makes 128 x 128 elements, a thread 8 x 8 of them, whose
// sums stay in its registers while k runs. Each step of 8 in k needs a panel of a and one of b,
// which the threads copy together into shared memory; a's is stored with k outermost, so that a
// thread reads neighbouring rows.
inline Scheduled product(On on) {
  using namespace strata;
  Function f(kernel("product", on));
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = f.input("a", f32, {N, K}), b = f.input("b", f32, {K, M});
  Computation sums = f.computation("sums", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation c = f.computation("c", {i, j}, sums(i, j));

  Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), i2("i2"), j2("j2"), k0("k0"), k1("k1"), x("x"),
      y("y");
  if (on == On::gpu) {
    c.tile(i, j, 128, 128, i0, j0, i1, j1).gpu_blocks(i0, j0);
    c.tile(i1, j1, 8, 8, i1, j1, i2, j2).gpu_threads(i1, j1).unroll(i2).unroll(j2);
    sums.compute_at(c, j0).set_memory(Memory::local);
    sums.split(k, 8, k0, k1).interchange(i, k0).interchange(i, j);
    sums.tile(i, j, 8, 8, i1, j1, i2, j2).interchange(i2, k1);
    sums.gpu_threads(i1, j1).unroll(i2).unroll(j2).unroll(k1);
    Computation pa = sums.cache_shared_at(k0, a, "panel_a", {x, y});
    pa.allocate_at(sums, j0).store_in({y % 16, x}).shift(k0, -1);
    Computation pb = sums.cache_shared_at(k0, b, "panel_b", {x, y});
    pb.allocate_at(sums, j0).store_in({x % 16, y}).shift(k0, -1);
  } else {
    c.tile(i, j, 6, 16, i0, j0, i1, j1).parallelize(i0).vectorize(j1, 8).unroll(j1).unroll(i1);
    sums.compute_at(c, j0).interchange(j, k).interchange(i, k);
    sums.vectorize(j, 8).unroll(j).unroll(i);
  }
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

}  // namespace gpu_examples
