// A 5 x 5 Gaussian filter and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace gaussian_benchmark {

// The binomial weights 1 4 6 4 1 along a row of N x W numbers, then down a column, wherever all
// five numbers exist. A tile of a few rows by one vector computes the rows of gx that it reads, in
// registers.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("gaussian");
  Param N = f.param("N"), W = f.param("W");
  Var i("i", 0, N), k("k", 0, N - 4), w("w", 0, W - 12);
  Input in = f.input("in", f32, {N, W});
  const auto weighted = [](const auto& at) {
    return (at(0) + 4.0f * at(1) + 6.0f * at(2) + 4.0f * at(3) + at(4)) * (1 / 16.0f);
  };
  Computation gx =
      f.computation("gx", {i, w}, weighted([&](int tap) { return in(i, w + 3 * tap); }));
  Computation gy = f.computation("gy", {k, w}, weighted([&](int tap) { return gx(k + tap, w); }));

  Var k0("k0"), w0("w0"), k1("k1"), w1("w1");
  gy.tile(k, w, machine().filter_rows(5), machine().lanes(f32), k0, w0, k1, w1);
  gx.compute_at(gy, w0);
  gx.unroll(i).vectorize(w);
  gy.parallelize(k0);
  gy.unroll(k1).vectorize(w1);
  return {f, {in.buffer(), gy.buffer()}};
}

}  // namespace gaussian_benchmark
