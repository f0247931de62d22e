#include "benchmarks/common/halide_matrix_vector.h"
#include "benchmarks/trmv/trmv_case.h"

using trmv_benchmark::Case;

int main(int argc, char** argv) {
  return benchmarks::process<Case, benchmarks::MatrixVector<Case, true>>(argc, argv);
}
