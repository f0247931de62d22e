// The conversion of a picture from colour to grey, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace cvtcolor_benchmark {

// Channels are interleaved, so a vector reads numbers with stride three. Luma as in ITU-R BT.601,
// 0.299 R + 0.587 G + 0.114 B, in 14-bit fixed point.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("cvtcolor");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input in = f.input("in", u8, {N, 3 * M});
  const auto number = [&](int channel) { return cast(i32, in(i, 3 * j + channel)); };
  Computation grey = f.computation(
      "grey", {i, j},
      cast(u8, (number(0) * 4899 + number(1) * 9617 + number(2) * 1868 + 8192) >> 14));

  grey.parallelize(i);
  grey.vectorize(j, machine().lanes(u8));
  return {f, {in.buffer(), grey.buffer()}};
}

}  // namespace cvtcolor_benchmark
