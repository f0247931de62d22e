// cholesky_demo: prints the commands and loops, and the speed compared with plain C.
#include "examples/cholesky/cholesky_case.h"
#include "examples/cholesky/plain_cholesky.h"
#include "examples/common/demo.h"

int main() {
  using namespace cholesky_example;
  examples::print_file(SCHEDULE_TEXT);
  const strata::Array<double> matrix = some_matrix(1000);
  strata::Array<double> plain = matrix, ours = matrix;
  return examples::compare(
      "cholesky, 1000 x 1000 doubles",
      [&] {
        plain = matrix;
        plain_cholesky(1000, plain.data());
      },
      [&] {
        ours = matrix;
        by_kernel(ours);
      },
      [&] { return largest_fraction_of_bound(matrix, ours) <= 1; });
}
