// attention_demo: what each command brings, compared with plain C.
#include "examples/attention/attention_algorithm.h"
#include "examples/attention/attention_case.h"
#include "examples/common/steps.h"

int main() {
  using namespace attention_example;
  Case c(1000, 64);
  return examples::compare_steps(
      [] { return Attention().with_arguments(); }, scheduled(), [&] { c.by_hand(); },
      [&](const strata::JitFunction& kernel) { return kernel({c.n, c.d}, {c.q, c.k, c.v, c.out}); },
      [&] { c.by_kernel(); }, [&] { return c.is_right(); }, 5, examples::Grain::computation);
}
