#include "benchmarks/polybench/common/openblas.h"

using namespace polybench;

static void run(polybench::Case& d) {
  const Int ni = d.size(0), nj = d.size(1), nk = d.size(2), nl = d.size(3);
  product(ni, nj, nk, *d[0], d[3], d[4], 0, d[2]);
  product(ni, nl, nj, 1, d[2], d[5], *d[1], d[6]);
}

int main(int argc, char** argv) { return openblas_main<run>(argc, argv); }
