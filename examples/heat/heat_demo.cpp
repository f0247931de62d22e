// heat_demo: what each command brings, compared with plain C.
#include "examples/common/steps.h"
#include "examples/heat/heat_algorithm.h"
#include "examples/heat/heat_case.h"

int main() {
  using namespace heat_example;
  Case c(20, 1500, 2000);
  return examples::compare_steps(
      [] { return algorithm().with_arguments(); }, scheduled(), [&] { c.by_hand(); },
      [&](const strata::JitFunction& kernel) {
        return kernel({c.steps, c.n, c.m}, {c.grid, c.r, c.change, c.last});
      },
      [&] { c.by_kernel(); }, [&] { return c.is_right(); }, 5);
}
