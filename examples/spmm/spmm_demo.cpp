// spmm_demo: what each command brings, compared with plain C.
#include "examples/common/steps.h"
#include "examples/spmm/spmm_algorithm.h"
#include "examples/spmm/spmm_case.h"

int main() {
  using namespace spmm_example;
  Case c(5000, 5000, 128, 20);
  return examples::compare_steps(
      [] { return Spmm().with_arguments(); }, scheduled(), [&] { c.by_hand(); },
      [&](const strata::JitFunction& kernel) {
        return kernel({c.n, c.k, c.m, c.col.extent(0)}, {c.row, c.col, c.val, c.b, c.c});
      },
      [&] { c.by_kernel(); }, [&] { return c.is_right(); }, 7);
}
