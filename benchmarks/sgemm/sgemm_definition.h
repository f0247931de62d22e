// C = A B: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace sgemm_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
  Function f("matmul");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = f.input("a", f32, {N, K}), b = f.input("b", f32, {K, M});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

}  // namespace sgemm_benchmark
