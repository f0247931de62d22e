// unsharp_demo: what each command brings, compared with plain C.
#include "examples/common/steps.h"
#include "examples/unsharp/unsharp_algorithm.h"
#include "examples/unsharp/unsharp_case.h"

int main() {
  using namespace unsharp_example;
  Case c(2448, 3264);
  return examples::compare_steps(
      [] { return Unsharp().with_arguments(); }, scheduled(), [&] { c.by_hand(); },
      [&](const strata::JitFunction& kernel) { return kernel({c.n, c.w}, {c.in, c.sharp}); },
      [&] { c.by_kernel(); }, [&] { return c.is_right(); });
}
