#include <dnnl.h>

#include "benchmarks/common/process.h"
#include "benchmarks/sgemm/sgemm_case.h"

using sgemm_benchmark::Case;

struct OneDnn {
  Case& data;
  void run() {
    const dnnl_dim_t n = data.n;
    if (dnnl_sgemm('N', 'N', n, n, n, 1.0f, data.a.data(), n, data.b.data(), n, 0.0f, data.c.data(),
                   n) != dnnl_success)
      throw std::runtime_error("dnnl_sgemm failed");
  }
};

int main(int argc, char** argv) { return benchmarks::process<Case, OneDnn>(argc, argv); }
