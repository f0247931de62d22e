// The LU factorisation of a matrix, in place, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace lu_example {

// A = L U without pivoting, in place. Step k divides the column below the diagonal by the diagonal
// element, which gives L's column, and subtracts the product of that column with row k from the
// rest:
//     A(i, k) = A(i, k) / A(k, k)              k < i
//     A(i, j) = A(i, j) - A(i, k) A(k, j)      k < i, k < j
// In each step the rows below row k are independent and run in parallel. In each row, the element
// in column k is divided first, then the rest is updated in vectors.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function lu("lu");
  Param N = lu.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N);
  Var below("i", k + 1, N), right("j", k + 1, N);
  Input matrix = lu.input("matrix", f64, {N, N});
  Computation a = lu.computation("a", {i, j}, matrix(i, j));
  Computation column = a, rest = a;
  lu.loop(k, [&] {
    column = a.update({k, below}, {below, k}, a(below, k) / a(k, k));
    rest = a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * a(k, right));
  });
  a.store_in(matrix.buffer());
  rest.after(column, i);
  column.parallelize(i);
  rest.vectorize(j, lanes);
  return {lu, {matrix.buffer()}};
}

}  // namespace lu_example
