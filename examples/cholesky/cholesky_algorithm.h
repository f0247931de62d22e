// The Cholesky factorisation of a symmetric matrix, in place, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace cholesky_example {

// A = U^T U for a positive definite matrix, whose upper triangle is read and overwritten with U:
//     A(k, k) = sqrt(A(k, k))
//     A(k, j) = A(k, j) / A(k, k)              k < j
//     A(i, j) = A(i, j) - A(k, i) A(k, j)      k < i <= j
// The updates of the rows below row k are independent: they run in parallel, and in vectors along
// the rows.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function cholesky("cholesky");
  Param N = cholesky.param("N");
  Var i("i", 0, N), j("j", i, N), k("k", 0, N);
  Var below("i", k + 1, N), right("j", k + 1, N), upper("j", below, N);
  Input matrix = cholesky.input("matrix", f64, {N, N});
  Computation a = cholesky.computation("a", {i, j}, matrix(i, j));
  Computation diagonal = a, row = a, rest = a;
  cholesky.loop(k, [&] {
    diagonal = a.update({k}, {k, k}, sqrt(a(k, k)));
    row = a.update({k, right}, {k, right}, a(k, right) / a(k, k));
    rest = a.update({k, below, upper}, {below, upper}, a(below, upper) - a(k, below) * a(k, upper));
  });
  a.store_in(matrix.buffer());
  row.vectorize(j, lanes);
  rest.parallelize(i);
  rest.vectorize(j, lanes);
  return {cholesky, {matrix.buffer()}};
}

}  // namespace cholesky_example
