// The two-stage blur and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace blur_example {

// A picture has N rows of W = 3 M numbers each: red, green, blue, red, .. The same channel of the
// next pixel is three numbers further on, so neither stage needs to know about channels, and
// vectors run along memory for any M.
//
// The picture is far larger than any cache, so memory should be traversed only once: bx must not
// become an array of that size. It is computed for each tile of "rows" x "lanes" of by, which
// reads rows + 2 rows of it; with the rows of both unrolled, the buffer of a tile is rows + 2
// vectors, which stay in registers.
inline examples::Scheduled scheduled(std::int64_t rows = strata::machine().filter_rows(3),
                                     std::int64_t lanes = strata::machine().lanes(strata::f32)) {
  using namespace strata;
  Function blur("blur");
  Param N = blur.param("N"), W = blur.param("W");
  Var i("i", 0, N), k("k", 0, N - 2), w("w", 0, W - 6);
  Input in = blur.input("in", f32, {N, W});
  Computation bx = blur.computation("bx", {i, w}, (in(i, w) + in(i, w + 3) + in(i, w + 6)) / 3.0f);
  Computation by = blur.computation("by", {k, w}, (bx(k, w) + bx(k + 1, w) + bx(k + 2, w)) / 3.0f);

  Var k0("k0"), w0("w0"), k1("k1"), w1("w1");
  by.tile(k, w, rows, lanes, k0, w0, k1, w1);
  bx.compute_at(by, w0);
  bx.unroll(i);
  bx.vectorize(w);
  by.parallelize(k0);
  by.unroll(k1);
  by.vectorize(w1);
  return {blur, {in.buffer(), by.buffer()}};
}

}  // namespace blur_example
