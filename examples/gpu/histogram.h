// The number of pixels of each value in an image.
#pragma once

#include "examples/gpu/example.h"

namespace gpu_examples {

// part(band, v) = the number of pixels of value v in "rows" rows; hist = the sum over all bands.
//
// On the GPU a band is a block. Its threads count into shared memory, by atomic additions, and
// then add their counts to hist in global memory.
inline Scheduled histogram(On on) {
  using namespace strata;
  constexpr std::int64_t rows = 16;
  Function f(kernel("histogram", on));
  Param R = f.param("R"), C = f.param("C");
  Input img = f.input("img", u8, {R, C});
  Var band("band", 0, (R + (rows - 1)) / rows), bin("bin", 0, 256), r("r", 0, R), c("c", 0, C);
  Computation part = f.computation("part", {band, bin}, constant(i32, 0));
  Computation count = part.update({r, c}, {r / rows, img(r, c)}, part(r / rows, img(r, c)) + 1);
  Var c0("c0"), c1("c1"), v("v", 0, 256), g("g", 0, (R + (rows - 1)) / rows);
  Computation hist = f.computation("hist", {v}, sum(g, part(g, v)));

  if (on == On::gpu) {
    count.split(r, rows, g, r);
    part.fuse(band, count, g);
    hist.interchange(v, g);
    count.fuse(band, hist, g);
    part.allocate_at(hist, band).set_memory(Memory::shared);
    hist.atomic().gpu_blocks(band).gpu_threads(v);
    count.atomic().split(c, 256, c0, c1).interchange(r, c1).gpu_threads(c1);
    part.gpu_threads(bin);
  } else {
    part.vectorize(bin, 8);
    count.split(r, rows, band, r);
    count.parallelize(band);
    hist.interchange(v, g).vectorize(v, 8);
  }
  return {f, {img.buffer(), hist.buffer()}};
}

}  // namespace gpu_examples
