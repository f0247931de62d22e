// fft_demo: what each command brings, compared with plain C.
#include "examples/common/steps.h"
#include "examples/fft/fft_algorithm.h"
#include "examples/fft/fft_case.h"

int main() {
  using namespace fft_example;
  Case c(1000);
  return examples::compare_steps(
      [&] { return Fft(c.points).with_arguments(); }, scheduled(c.points), [&] { c.by_hand(); },
      [&](const strata::JitFunction& kernel) {
        return kernel({c.rows}, {c.re, c.im, c.cosine, c.sine, c.out_re, c.out_im});
      },
      [&] { c.by_kernel(); }, [&] { return c.is_right(); }, 7, examples::Grain::computation);
}
