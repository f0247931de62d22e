#include "benchmarks/polybench/common/openblas.h"

using namespace polybench;

static void run(polybench::Case& d) {
  const Int nq = d.size(0), nr = d.size(1), np = d.size(2);
  std::vector<double> rows(static_cast<std::size_t>(nq * np));
  for (Int r = 0; r < nr; ++r) {
    product(nq, np, np, 1, d[0] + r * nq * np, d[1], 0, rows.data());
    std::copy(rows.begin(), rows.end(), d[0] + r * nq * np);
  }
}

int main(int argc, char** argv) { return openblas_main<run>(argc, argv); }
