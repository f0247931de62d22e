// x1 = x1 + A y1 and x2 = x2 + A^T y2, and their schedule.
#pragma once

#include "benchmarks/polybench/common/sums.h"

namespace kernel_mvt_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_mvt");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Input x1 = f.input("x1", f64, {N}), x2 = f.input("x2", f64, {N}), y1 = f.input("y1", f64, {N});
  Input y2 = f.input("y2", f64, {N}), a = f.input("A", f64, {N, N});
  Computation across = f.computation("across", {i}, sum(j, a(i, j) * y1(j)));
  Computation down = f.computation("down", {j}, sum(i, a(i, j) * y2(i)));
  Computation to_x1 = f.computation("to_x1", {i}, x1(i) + across(i));
  Computation to_x2 = f.computation("to_x2", {j}, x2(j) + down(j));
  to_x1.store_in(x1.buffer());
  to_x2.store_in(x2.buffer());

  Var i0("i0"), i1("i1");
  Computation rows = polybench::in_blocks_of_rows(down, i, j);
  across.split(i, polybench::block_rows(), i0, i1).after(rows, i1);
  polybench::in_lanes(across, j);
  rows.parallelize(i0);
  return {f, {x1.buffer(), x2.buffer(), y1.buffer(), y2.buffer(), a.buffer()}};
}

}  // namespace kernel_mvt_benchmark
