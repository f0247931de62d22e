// The variant in plain C, for each of several compilers.
#include "benchmarks/common/process.h"
#include BENCHMARK_CASE

using BENCHMARK_NAMESPACE::Case;

struct Plain {
  Case& data;
  void run() { data.plain(); }
};

int main(int argc, char** argv) { return benchmarks::process<Case, Plain>(argc, argv); }
