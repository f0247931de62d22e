// The Strata variant.
#include "benchmarks/common/process.h"
#include BENCHMARK_CASE

using BENCHMARK_NAMESPACE::Case;

struct Strata {
  Case& data;
  void run() { data.strata(); }
};

int main(int argc, char** argv) { return benchmarks::process<Case, Strata>(argc, argv); }
