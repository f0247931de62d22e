#include "benchmarks/common/halide_matrix_vector.h"
#include "benchmarks/sgemv/sgemv_case.h"

using sgemv_benchmark::Case;

int main(int argc, char** argv) {
  return benchmarks::process<Case, benchmarks::MatrixVector<Case, false>>(argc, argv);
}
