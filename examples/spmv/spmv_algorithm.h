// A sparse matrix times a vector.
#pragma once

#include "examples/common/scheduled.h"

namespace spmv_example {

// y = A x for an N x M matrix with NNZ entries in compressed rows (CSR): entry k has the value
// val(k) and the column col(k), and row i has the entries row(i) <= k < row(i + 1).
//
// The range of k and the index col(k) are data. The kernel reports a column outside x and reads
// nothing there; entries below 0 and from NNZ on are ignored. Blocks of rows run in parallel; the
// pointers and results of one stay in the first cache.
inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("spmv");
  Param N = f.param("N"), M = f.param("M"), NNZ = f.param("NNZ");
  Input row = f.input("row", i32, {N + 1}), col = f.input("col", i32, {NNZ});
  Input val = f.input("val", f32, {NNZ}), x = f.input("x", f32, {M});
  Var i("i", 0, N), k("k", row(i), row(i + 1)), block("block");
  Computation y = f.computation("y", {i}, sum(k, val(k) * x(col(k))));

  y.split(i, machine().fitting(1, bytes(i32) + bytes(f32)), block, i);
  y.parallelize(block);
  return {f, {row.buffer(), col.buffer(), val.buffer(), x.buffer(), y.buffer()}};
}

}  // namespace spmv_example
