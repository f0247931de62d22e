#include "benchmarks/polybench/common/openblas.h"

using namespace polybench;

static void run(polybench::Case& d) {
  const Int m = d.size(0), n = d.size(1);
  const std::vector<double> mean = means(m, n, d[0]);
  double* data = d[0];
  std::vector<double> scale(static_cast<std::size_t>(m));
  for (Int i = 0; i < n; ++i)
    for (Int j = 0; j < m; ++j) {
      const double off = data[i * m + j] - mean[j];
      scale[j] += off * off;
    }
  for (double& x : scale) {
    const double deviation = std::sqrt(x / double(n));
    x = 1 / (std::sqrt(double(n)) * (deviation <= 0.1 ? 1 : deviation));
  }
  for (Int i = 0; i < n; ++i)
    for (Int j = 0; j < m; ++j) data[i * m + j] = (data[i * m + j] - mean[j]) * scale[j];
  products_of_columns(m, n, 1, data, d[1]);
  for (Int i = 0; i < m; ++i) d[1][i * m + i] = 1;
}

int main(int argc, char** argv) { return openblas_main<run>(argc, argv); }
