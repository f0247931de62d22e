// Winograd's method in the DSL.
#include "benchmarks/common/process.h"
#include "benchmarks/conv/conv_case.h"
#include "winograd.h"

using conv_benchmark::Case;

struct Winograd {
  Case& data;
  void run() {
    benchmarks::check(winograd(data.b, data.h / 2, data.w / 2, data.ci, data.co, data.in, data.bias,
                               data.weights, data.out));
  }
};

int main(int argc, char** argv) { return benchmarks::process<Case, Winograd>(argc, argv); }
