// B = alpha A^T B, A lower triangular with ones on the diagonal: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_trmm_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("kernel_trmm");
  Param M = f.param("M"), N = f.param("N");
  Var i("i", 0, M), j("j", 0, N), k("k", i + 1, M);
  Input alpha = f.input("alpha", f64, {}), a = f.input("A", f64, {M, M});
  Input b = f.input("B", f64, {M, N});
  Computation ab = f.computation("ab", {i, j}, sum(k, a(k, i) * b(k, j)));
  Computation out = f.computation("out", {i, j}, alpha * (b(i, j) + ab(i, j)));
  out.store_in(b.buffer());
  return {f, {alpha.buffer(), a.buffer(), b.buffer()}};
}

}  // namespace kernel_trmm_benchmark
