// The number of pixels of each value in an image.
#pragma once

#include "examples/common/scheduled.h"

namespace histogram_example {

// hist(v) = the number of pixels with value v in an R x C image.
//
// Adding each pixel to its bin is a scatter, whose order is kept: no two pixels may run at the same
// time. So each band of rows counts separately, bands run in parallel, and the counts of bands are
// added, which is at most as much work as to count a row of 256 pixels again:
//     part(r / rows, img(r, c)) += 1          hist(v) = sum over the bands g of part(g, v)
inline examples::Scheduled scheduled() {
  using namespace strata;
  constexpr std::int64_t rows = examples::strip_rows(1);
  Function f("histogram");
  Param R = f.param("R"), C = f.param("C");
  Input img = f.input("img", u8, {R, C});
  Var band("band", 0, (R + (rows - 1)) / rows), bin("bin", 0, 256), r("r", 0, R), c("c", 0, C);
  Computation part = f.computation("part", {band, bin}, constant(i32, 0));
  Computation count = part.update({r, c}, {r / rows, img(r, c)}, part(r / rows, img(r, c)) + 1);
  Var v("v", 0, 256), g("g", 0, (R + (rows - 1)) / rows);
  Computation hist = f.computation("hist", {v}, sum(g, part(g, v)));

  part.vectorize(bin, machine().lanes(i32));
  count.split(r, rows, band, r);
  count.parallelize(band);
  hist.interchange(v, g);
  hist.vectorize(v, machine().lanes(i32));
  return {f, {img.buffer(), hist.buffer()}};
}

}  // namespace histogram_example
