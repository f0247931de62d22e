#include "benchmarks/polybench/common/openblas.h"

using namespace polybench;

static void run(polybench::Case& d) {
  const int m = int(d.size(0)), n = int(d.size(1));
  scipy_cblas_dsymm(CblasRowMajor, CblasLeft, CblasLower, m, n, *d[0], d[3], m, d[4], n, *d[1],
                    d[2], n);
}

int main(int argc, char** argv) { return openblas_main<run>(argc, argv); }
