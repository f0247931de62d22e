#include "benchmarks/polybench/common/openblas.h"

using namespace polybench;

static void run(polybench::Case& d) {
  const int m = int(d.size(0)), n = int(d.size(1));
  scipy_cblas_dsyr2k(CblasRowMajor, CblasLower, CblasNoTrans, n, m, *d[0], d[3], m, d[4], m, *d[1],
                     d[2], n);
}

int main(int argc, char** argv) { return openblas_main<run>(argc, argv); }
