#include "benchmarks/polybench/common/openblas.h"

using namespace polybench;

static void run(polybench::Case& d) {
  const Int m = d.size(0), n = d.size(1);
  const std::vector<double> mean = means(m, n, d[0]);
  double* data = d[0];
  for (Int i = 0; i < n; ++i)
    for (Int j = 0; j < m; ++j) data[i * m + j] -= mean[j];
  products_of_columns(m, n, 1.0 / double(n - 1), data, d[1]);
}

int main(int argc, char** argv) { return openblas_main<run>(argc, argv); }
