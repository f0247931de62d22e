// A = L U, in place: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_lu_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("kernel_lu");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N);
  Var k("k", 0, N), below("i", k + 1, N), right("j", k + 1, N);
  Input matrix = f.input("A", f64, {N, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j));
  f.loop(k, [&] {
    a.update({k, below}, {below, k}, a(below, k) / a(k, k));
    a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * a(k, right));
  });
  a.store_in(matrix.buffer());
  return {f, {matrix.buffer()}, {{"N", 2000}}};
}

}  // namespace kernel_lu_benchmark
