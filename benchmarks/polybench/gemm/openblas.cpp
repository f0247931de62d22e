#include "benchmarks/polybench/common/openblas.h"

using namespace polybench;

static void run(polybench::Case& d) {
  product(d.size(0), d.size(1), d.size(2), *d[0], d[3], d[4], *d[1], d[2]);
}

int main(int argc, char** argv) { return openblas_main<run>(argc, argv); }
