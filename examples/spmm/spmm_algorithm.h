// A sparse matrix times a dense one, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace spmm_example {

// C = A B for an N x K matrix A with NNZ entries in compressed rows (CSR), as in examples/spmv, and
// a dense K x M matrix B. An entry of A multiplies a row of B.
struct Spmm {
  strata::Function function{"spmm"};
  strata::Param N = function.param("N"), K = function.param("K"), M = function.param("M"),
                NNZ = function.param("NNZ");
  strata::Input row = function.input("row", strata::i32, {N + 1});
  strata::Input col = function.input("col", strata::i32, {NNZ});
  strata::Input val = function.input("val", strata::f32, {NNZ});
  strata::Input b = function.input("b", strata::f32, {K, M});
  strata::Var i{"i", 0, N}, j{"j", 0, M}, k{"k", row(i), row(i + 1)};
  strata::Computation sums = function.computation("sums", {i, j}, sum(k, val(k) * b(col(k), j)));
  strata::Computation c = function.computation("c", {i, j}, sums(i, j));

  examples::Scheduled with_arguments() const {
    return {function, {row.buffer(), col.buffer(), val.buffer(), b.buffer(), c.buffer()}};
  }
};

// Each row of C is made in pieces of as many vectors of sums as hide the time of a multiply-add:
// they stay in registers while the entries of the row of A pass. Blocks of rows run in parallel.
inline examples::Scheduled scheduled() {
  const strata::Machine m = strata::machine();
  Spmm s;
  strata::Var j0("j0"), j1("j1"), block("block");
  s.c.split(s.j, m.fma_latency * m.lanes(strata::f32), j0, j1);
  s.sums.compute_at(s.c, j0);
  s.sums.vectorize(s.j);
  s.c.vectorize(j1);
  s.c.split(s.i, examples::strip_rows(1), block, s.i);
  s.c.parallelize(block);
  return s.with_arguments();
}

}  // namespace spmm_example
