// lu_demo: prints the commands and loops, and the speed compared with plain C.
#include "examples/common/demo.h"
#include "examples/lu/lu_case.h"
#include "examples/lu/plain_lu.h"

int main() {
  using namespace lu_example;
  examples::print_file(SCHEDULE_TEXT);
  const strata::Array<double> matrix = some_matrix(1000);
  strata::Array<double> plain = matrix, ours = matrix;
  return examples::compare(
      "lu, 1000 x 1000 doubles",
      [&] {
        plain = matrix;
        plain_lu(1000, plain.data());
      },
      [&] {
        ours = matrix;
        by_kernel(ours);
      },
      [&] { return largest_fraction_of_bound(matrix, ours) <= 1; });
}
