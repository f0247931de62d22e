// The two-stage blur and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace blur_example {

// A picture of N rows, each of W = 3 M numbers: red, green, blue, red, ..  The neighbour of a
// number in the next pixel is three further on, so neither stage needs to know the channels, and
// vectors run along memory whatever M is.
//
// The picture is far larger than any cache, so what counts is to go through memory once: bx must
// not become an array as large.  It is computed for each tile of "rows" x "lanes" of by, which
// reads rows + 2 rows of it; with the rows of both unrolled, the buffer of a tile is rows + 2
// vectors, which stay in registers.
inline examples::Scheduled scheduled(std::int64_t rows = 6, std::int64_t lanes = 16) {
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
