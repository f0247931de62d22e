// A matrix product of integers, for tests of commands.
#pragma once

#include <strata/strata.h>

#include <vector>

namespace strata::test {

// c(i, j) = sum over k of a(i, k) b(k, j)
struct Product {
  Function f{"product"};
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i{"i", 0, N}, j{"j", 0, M}, k{"k", 0, K};
  Input a = f.input("a", i32, {N, K}), b = f.input("b", i32, {K, M});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));

  std::vector<Buffer> arguments() const { return {a.buffer(), b.buffer(), c.buffer()}; }
};

}  // namespace strata::test
