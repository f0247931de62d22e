// The kernels of the GPU benchmarks: each a function that makes an algorithm with a schedule. All
// arguments are resident on the device; rows begin at multiples of four elements where a kernel's
// name does not say "any".
#pragma once

#include <string>
#include <vector>

#include "examples/common/scheduled.h"

namespace gpu_benchmark {

using examples::Scheduled;

// The tile of a block, the part of it of a thread, the step in k, and how many blocks shall share a
// multiprocessor.
struct ProductTiles {
  std::int64_t rows, columns, of_rows, of_columns, step, min_blocks;
};

enum class Panels {
  any,       // of any size
  in_front,  // of whole tiles, by vectors; copied before a step is computed
  behind,    // copied after it: then their loads are under way while it is computed
};

// Which sums of a block's tile a thread has.
enum class Sums {
  side_by_side,  // a box
  in_quarters,   // the same 4 x 4 of each quarter of the tile: neighbouring threads read 16 bytes
                 // side by side, so eight of them read each bank of shared memory once
};

// Gives loops "row" and "column" of a tile to threads i1 x j1, each of which has rows ih, i2 and
// columns jh, j2 of them, inside of "steps".
inline void give_quarters(strata::Computation& of, const strata::Var& row,
                          const strata::Var& column, const ProductTiles& tiles,
                          const std::vector<strata::Var>& steps) {
  const strata::Var i1("i1"), j1("j1"), i2("i2"), j2("j2"), ih("ih"), jh("jh");
  of.split(row, tiles.rows / 2, ih, i1).split(i1, tiles.of_rows / 2, i1, i2);
  of.split(column, tiles.columns / 2, jh, j1).split(j1, tiles.of_columns / 2, j1, j2);
  std::vector<strata::Var> order = {i1, j1, ih, i2, jh, j2};
  order.insert(order.begin() + 2, steps.begin(), steps.end());
  of.reorder(order).gpu_threads(i1, j1).unroll(ih).unroll(i2).unroll(jh);
}

// c = a b. Panels of both operands in two buffers of shared memory, sums in registers; the first
// step has nothing to compute, and the last nothing to copy.
inline Scheduled product(const std::string& name, const ProductTiles& tiles, Panels panels,
                         Sums of_thread = Sums::side_by_side) {
  using namespace strata;
  Function f(name);
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  if (panels != Panels::any) {
    f.assume(N % tiles.rows == 0 && M % tiles.columns == 0 && K % tiles.step == 0);
    f.assume(K >= 2 * tiles.step);
  }
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = f.input("a", f32, {N, K}), b = f.input("b", f32, {K, M});
  Computation sums = f.computation("sums", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation c = f.computation("c", {i, j}, sums(i, j));
  f.resident(a), f.resident(b), f.resident(c);
  f.set_code_limit(50000);

  Var i0("i0"), j0("j0"), i1("i1"), j1("j1"), i2("i2"), j2("j2"), k0("k0"), k1("k1"), x("x"),
      y("y"), q("q"), v("v");
  c.tile(i, j, tiles.rows, tiles.columns, i0, j0, i1, j1).gpu_blocks(i0, j0);
  sums.compute_at(c, j0).set_memory(Memory::local);
  sums.split(k, tiles.step, k0, k1).interchange(i, k0).interchange(i, j);
  if (of_thread == Sums::in_quarters) {
    give_quarters(c, i1, j1, tiles, {});
    give_quarters(sums, i, j, tiles, {k1});
    c.vectorize(j2);
  } else {
    c.tile(i1, j1, tiles.of_rows, tiles.of_columns, i1, j1, i2, j2);
    c.gpu_threads(i1, j1).unroll(i2);
    if (panels == Panels::any)
      c.unroll(j2);
    else
      c.split(j2, 4, q, v).vectorize(v).unroll(q);
    sums.tile(i, j, tiles.of_rows, tiles.of_columns, i1, j1, i2, j2).interchange(i2, k1);
    sums.gpu_threads(i1, j1).unroll(i2);
  }
  c.min_blocks(j0, tiles.min_blocks);
  sums.unroll(j2).unroll(k1);
  const auto panel = [&](const Input& of, const char* copy, const std::vector<Expr>& places) {
    Computation made = sums.cache_at(k0, of, copy, {x, y}, Memory::shared);
    if (panels == Panels::any)
      made.deal({x, y});
    else
      made.split(y, 4, q, v).vectorize(v).deal({x, q});
    made.allocate_at(sums, j0).store_in(places).shift(k0, -1);
    if (panels == Panels::behind) made.after(sums, k0);
  };
  panel(a, "panel_a", {y % (2 * tiles.step), x});
  panel(b, "panel_b", {x % (2 * tiles.step), y});
  if (panels != Panels::any) sums.peel(k0, 1).peel(k0, -1);
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

}  // namespace gpu_benchmark
