#include "benchmarks/polybench/common/openblas.h"

using namespace polybench;

static void run(polybench::Case& d) {
  const int m = int(d.size(0)), n = int(d.size(1));
  scipy_cblas_dtrmm(CblasRowMajor, CblasLeft, CblasLower, CblasTrans, CblasUnit, m, n, *d[0], d[1],
                    m, d[2], n);
}

int main(int argc, char** argv) { return openblas_main<run>(argc, argv); }
