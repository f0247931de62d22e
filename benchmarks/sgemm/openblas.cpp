#include <cblas.h>

#include "benchmarks/common/process.h"
#include "benchmarks/sgemm/sgemm_case.h"

using sgemm_benchmark::Case;

struct OpenBlas {
  Case& data;
  void run() {
    const int n = int(data.n);
    scipy_cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0f, data.a.data(), n,
                      data.b.data(), n, 0.0f, data.c.data(), n);
  }
};

int main(int argc, char** argv) { return benchmarks::process<Case, OpenBlas>(argc, argv); }
