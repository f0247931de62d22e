// A 3 x 3 convolution of several channels.
#pragma once

#include "examples/gpu/example.h"

namespace gpu_examples {

// out(n, o, y, x) = sum over c, dy, dx of in(n, c, y + dy, x + dx) w(o, c, dy, dx).
//
// On the GPU a block makes 4 x 32 pixels of one output channel; the weights are in constant memory.
inline Scheduled convolution(On on) {
  using namespace strata;
  Function f(kernel("convolution", on));
  Param N = f.param("N"), C = f.param("C"), O = f.param("O"), H = f.param("H"), W = f.param("W");
  Var n("n", 0, N), o("o", 0, O), y("y", 0, H), x("x", 0, W), c("c", 0, C), dy("dy", 0, 3),
      dx("dx", 0, 3);
  Input in = f.input("in", f32, {N, C, H + 2, W + 2}), w = f.input("w", f32, {O, C, 3, 3});
  Computation out = f.computation("out", {n, o, y, x},
                                  sum({c, dy, dx}, in(n, c, y + dy, x + dx) * w(o, c, dy, dx)));

  if (on == On::gpu) {
    out.gpu_tile(o, y, x, 1, 4, 32);
    w.buffer().tag_gpu_constant();
  } else {
    out.interchange(x, dx).interchange(dx, dy).interchange(dy, c);
    out.parallelize(o).vectorize(x, 8);
  }
  return {f, {in.buffer(), w.buffer(), out.buffer()}};
}

}  // namespace gpu_examples
