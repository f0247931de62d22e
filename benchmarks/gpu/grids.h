// Kernels that move data: a copy, a transpose, stencils.
#pragma once

#include <vector>

#include "examples/common/scheduled.h"

namespace gpu_benchmark {

using examples::Scheduled;

// out = in. A thread copies four vectors of four, a block's length apart.
inline Scheduled copy() {
  using namespace strata;
  Function f("copy");
  Param N = f.param("N");
  f.assume(N % 4 == 0);
  Var i("i", 0, N), block("block"), u("u"), t("t"), v("v");
  Input in = f.input("in", f32, {N});
  Computation out = f.computation("out", {i}, in(i));
  f.resident(in), f.resident(out);
  out.split(i, 4096, block, i).split(i, 1024, u, i).split(i, 4, t, v).interchange(u, t);
  out.gpu_blocks(block).gpu_threads(t).unroll(u).vectorize(v);
  return {f, {in.buffer(), out.buffer()}};
}

// out(j, i) = in(i, j). A block moves 64 x 64 elements through shared memory, by vectors along the
// rows of both sides.
inline Scheduled transpose() {
  using namespace strata;
  Function f("transpose");
  Param N = f.param("N"), M = f.param("M");
  f.assume(N % 4 == 0), f.assume(M % 4 == 0);
  Var j("j", 0, M), i("i", 0, N), j0("j0"), i0("i0"), j1("j1"), i1("i1"), u("u"), v("v"), r("r"),
      x("x"), q("q");
  Input in = f.input("in", f32, {N, M});
  Computation out = f.computation("out", {j, i}, in(i, j));
  f.resident(in), f.resident(out);
  out.tile(j, i, 64, 64, j0, i0, j1, i1).gpu_blocks(j0, i0);
  out.split(i1, 4, i1, v).vectorize(v).split(j1, 16, u, j1).interchange(u, j1).interchange(u, i1);
  out.gpu_threads(j1, i1).unroll(u);
  Computation tile = out.cache_at(i0, in, "tile", {r, x}, Memory::shared);
  tile.split(x, 4, q, v).vectorize(v).deal({r, q}).set_size({64, 65});
  return {f, {in.buffer(), out.buffer()}};
}

// Blocks of 32 x 64 elements; a thread computes two vectors of four, one below the other.
inline void run_in_tiles(strata::Computation& out, const strata::Var& i, const strata::Var& j,
                         const strata::Var& j0) {
  using strata::Var;
  Var i0("i0"), i1("i1"), j1("j1"), v("v"), u("u");
  out.tile(i, j, 32, 64, i0, j0, i1, j1).gpu_blocks(i0, j0);
  out.split(i1, 2, i1, u).split(j1, 4, j1, v).interchange(u, j1).gpu_threads(i1, j1);
  out.unroll(u).vectorize(v);
}

// by = the mean of three rows of bx, which is the mean of three columns of in. A block makes
// 32 x 64 pixels; what it needs of "in" is copied to shared memory by vectors.
inline Scheduled blur() {
  using namespace strata;
  Function f("blur");
  Param N = f.param("N"), M = f.param("M");
  f.assume(M % 4 == 0), f.assume(M >= 4), f.assume(N >= 3);
  Var x("x", 0, N), i("i", 0, N - 2), j("j", 0, M - 4), j0("j0");
  Input in = f.input("in", f32, {N, M});
  Computation bx =
      f.computation("bx", {x, j}, (in(x, j) + in(x, j + 1) + in(x, j + 2)) * (1.0f / 3));
  Computation by =
      f.computation("by", {i, j}, (bx(i, j) + bx(i + 1, j) + bx(i + 2, j)) * (1.0f / 3));
  f.resident(in), f.resident(by);
  run_in_tiles(by, i, j, j0);
  bx.cache_shared_at(by, j0);
  return {f, {in.buffer(), by.buffer()}};
}

// One step of a 5-point stencil. A neighbour outside of the grid is the point itself.
template <typename Before>
strata::Expr step(const Before& before, const strata::Param& N, const strata::Param& M,
                  const strata::Var& i, const strata::Var& j) {
  using strata::Expr;
  const auto at = [&](const Expr& y, const Expr& x) {
    return before(clamp(y, 0, N - 1), clamp(x, 0, M - 1));
  };
  return 0.5f * at(i, j) + 0.125f * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
}

inline Scheduled stencil() {
  using namespace strata;
  Function f("stencil");
  Param N = f.param("N"), M = f.param("M");
  f.assume(M % 4 == 0);
  Var i("i", 0, N), j("j", 0, M);
  Input in = f.input("in", f32, {N, M});
  Computation out = f.computation("out", {i, j}, step(in, N, M, i, j));
  f.resident(in), f.resident(out);
  run_in_tiles(out, i, j, Var("j0"));
  return {f, {in.buffer(), out.buffer()}};
}

// Four steps at once. The tiles of the first three, larger by one point on each side for each,
// stay in shared memory.
inline Scheduled four_steps() {
  using namespace strata;
  Function f("four_steps");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input in = f.input("in", f32, {N, M});
  Computation first = f.computation("first", {i, j}, step(in, N, M, i, j));
  Computation second = f.computation("second", {i, j}, step(first, N, M, i, j));
  Computation third = f.computation("third", {i, j}, step(second, N, M, i, j));
  Computation out = f.computation("out", {i, j}, step(third, N, M, i, j));
  f.resident(in), f.resident(out);
  out.gpu_tile(i, j, 32, 32, i0, j0, i1, j1).min_blocks(j0, 2);
  for (Computation* each : {&third, &second, &first}) each->cache_shared_at(out, j0);
  return {f, {in.buffer(), out.buffer()}};
}

}  // namespace gpu_benchmark
