// A product of bfloat16 matrices on tensor cores.
#pragma once

#include "examples/gpu/example.h"

namespace gpu_examples {

// c = a b, of bfloat16, summed in float32.
//
// On the GPU a block of four warps makes 128 x 64 elements, a warp 32 x 64 of them: 2 x 8 tiles of
// 16 x 8, each one instruction for 16 steps of the sum. A warp is 8 x 4 threads; a thread (g, t)
// has rows 8 ri + g and columns 2 t + rj of each tile in its registers. The panels in shared
// memory have k innermost, so that a thread reads two neighbours.
inline Scheduled tensor_product(On on) {
  using namespace strata;
  Function f(kernel("tensor_product", on));
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = f.input("a", bf16, {N, K}), b = f.input("b", bf16, {K, M});
  Computation sums = f.computation("sums", {i, j}, sum(k, cast(f32, a(i, k)) * cast(f32, b(k, j))));
  Computation c = f.computation("c", {i, j}, sums(i, j));

  Var i0("i0"), j0("j0"), w("w"), g("g"), t("t"), mi("mi"), nj("nj"), ri("ri"), rj("rj"), k0("k0"),
      k1("k1"), x("x"), y("y");
  const auto in_warps = [&](Computation& s) {
    s.split(i, 32, w, i).split(i, 16, mi, i).split(i, 8, ri, g).split(j, 8, nj, j);
    s.split(j, 2, t, rj).interchange(mi, g).interchange(ri, t).gpu_threads(w, g, t);
    s.unroll(mi).unroll(nj).unroll(ri).unroll(rj);
  };
  if (on == On::gpu) {
    f.set_code_limit(80'000);
    c.tile(i, j, 128, 64, i0, j0, i, j).gpu_blocks(i0, j0);
    in_warps(c);
    sums.compute_at(c, j0).set_memory(Memory::local);
    sums.split(k, 16, k0, k1).interchange(j, k0).interchange(i, k0);
    in_warps(sums);
    sums.mma("bf16");
    Computation pa = sums.cache_shared_at(k0, a, "panel_a", {x, y});
    pa.allocate_at(sums, j0).store_in({x, y % 32}).shift(k0, -1);
    Computation pb = sums.cache_shared_at(k0, b, "panel_b", {x, y});
    pb.allocate_at(sums, j0).store_in({y, x % 32}).shift(k0, -1);
  } else {
    c.tile(i, j, 6, 16, i0, j0, i, j).parallelize(i0).vectorize(j, 8).unroll(j).unroll(i);
    sums.compute_at(c, j0).interchange(j, k).interchange(i, k);
    sums.vectorize(j, 8).unroll(j).unroll(i);
  }
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

}  // namespace gpu_examples
