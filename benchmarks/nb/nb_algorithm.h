// A brightened and a negative version of a picture, in four stages, and their schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace nb_benchmark {

// All four stages share one loop, which reads the picture once and stores no intermediate values.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("nb");
  Param N = f.param("N"), W = f.param("W");
  Var i("i", 0, N), w("w", 0, W);
  Input in = f.input("in", u8, {N, W});
  Computation scaled = f.computation("scaled", {i, w}, cast(u16, in(i, w)) * 3 / 2);
  Computation bright = f.computation("bright", {i, w}, cast(u8, min(scaled(i, w), 255)));
  Computation opposite = f.computation("opposite", {i, w}, 255 - in(i, w));
  Computation negative =
      f.computation("negative", {i, w}, cast(u8, cast(u16, opposite(i, w)) * 3 / 4));

  scaled.set_inline();
  opposite.set_inline();
  negative.after(bright, i);
  bright.parallelize(i);
  bright.vectorize(w, machine().lanes(u8));
  negative.vectorize(w, machine().lanes(u8));
  return {f, {in.buffer(), bright.buffer(), negative.buffer()}};
}

}  // namespace nb_benchmark
