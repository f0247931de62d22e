// Electric and magnetic fields in two dimensions, by finite differences in time, and their
// schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_fdtd_2d_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64);
  const auto rows_in_cache = m.fitting(2, 3 * 1200 * sizeof(double));  // of all arrays
  Function f("kernel_fdtd_2d");
  Param T = f.param("T"), NX = f.param("NX"), NY = f.param("NY");
  Var t("t", 0, T), i("i", 0, NX), j("j", 0, NY), lower("i", 1, NX), right("j", 1, NY);
  Var upper("i", 0, NX - 1), left("j", 0, NY - 1), top("i", 0, 1);
  Input in_x = f.input("EX", f64, {NX, NY}), in_y = f.input("EY", f64, {NX, NY});
  Input in_z = f.input("HZ", f64, {NX, NY}), source = f.input("source", f64, {T});
  f.assume(NX >= 1);
  Computation ex = f.computation("ex", {i, j}, in_x(i, j)), to_x = ex;
  Computation ey = f.computation("ey", {i, j}, in_y(i, j)), first = ey, to_y = ey;
  Computation hz = f.computation("hz", {i, j}, in_z(i, j)), to_z = hz;
  f.loop(t, [&] {
    first = ey.update({t, top, j}, {0, j}, source(t));
    to_y = ey.update({t, lower, j}, {lower, j},
                     ey(lower, j) - 0.5 * (hz(lower, j) - hz(lower - 1, j)));
    to_x = ex.update({t, i, right}, {i, right},
                     ex(i, right) - 0.5 * (hz(i, right) - hz(i, right - 1)));
    to_z = hz.update({t, upper, left}, {upper, left},
                     hz(upper, left) - 0.7 * (ex(upper, left + 1) - ex(upper, left) +
                                              ey(upper + 1, left) - ey(upper, left)));
  });
  ex.store_in(in_x.buffer());
  ey.store_in(in_y.buffer());
  hz.store_in(in_z.buffer());

  Var t0("t0"), i0("i0"), t1("t1"), i1("i1"), wave("wave");
  to_z.shift(i, 1);
  first.fuse(i, to_y, i).fuse(i, to_x, i).fuse(i, to_z, i);
  first.skew(t, i, 1, 0, 1, 1, t, i);
  first.tile(t, i, rows_in_cache, rows_in_cache, t0, i0, t1, i1);
  first.skew(t0, i0, 1, 1, wave, i0).parallelize(i0);
  for (Computation* each : {&first, &to_y, &to_x, &to_z}) each->vectorize(j, lanes);
  return {f, {in_x.buffer(), in_y.buffer(), in_z.buffer(), source.buffer()}};
}

}  // namespace kernel_fdtd_2d_benchmark
