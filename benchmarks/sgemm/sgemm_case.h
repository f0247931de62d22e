// Products of square matrices: the kernel of examples/matmul and its peers.
#pragma once

#include "benchmarks/common/case.h"
#include "examples/matmul/matmul_case.h"

extern "C" void plain_sgemm(std::int64_t n, const float* a, const float* b, float* c);

namespace sgemm_benchmark {

struct Case : matmul_example::Case {
  static inline const benchmarks::Sizes sizes = {{"256", {256}},   {"512", {512}},
                                                 {"1000", {1000}}, {"1024", {1024}},
                                                 {"1060", {1060}}, {"2048", {2048}}};
  static constexpr double tolerance = 1e-5;

  explicit Case(const std::vector<std::int64_t>& size)
      : matmul_example::Case(size[0], size[0], size[0]) {}
  double operations() const { return 2.0 * double(n) * double(m) * double(k); }
  void start() {}
  void plain() { plain_sgemm(n, a.data(), b.data(), c.data()); }
  void strata() { run(); }
  benchmarks::Results results() const { return {benchmarks::numbers(c)}; }
};

}  // namespace sgemm_benchmark
