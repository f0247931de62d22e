// A 3 x 3 convolution layer with bias and ReLU; channels are innermost.
#pragma once

#include "benchmarks/common/case.h"
#include "conv.h"
#include "examples/common/random.h"

extern "C" void plain_conv(std::int64_t b, std::int64_t h, std::int64_t w, std::int64_t ci,
                           std::int64_t co, const float* in, const float* bias,
                           const float* weights, float* out);

namespace conv_benchmark {

struct Case {
  static inline const benchmarks::Sizes sizes = {{"16to32", {1, 20, 30, 16, 32}},
                                                 {"3to128", {5, 80, 100, 3, 128}},
                                                 {"128to128", {5, 80, 100, 128, 128}}};
  static constexpr double tolerance = 1e-5;
  std::int64_t b, h, w, ci, co;
  strata::Array<float> in{{b, h + 2, w + 2, ci}}, bias{{co}}, weights{{3, 3, ci, co}},
      out{{b, h, w, co}};

  explicit Case(const std::vector<std::int64_t>& size)
      : b(size[0]), h(size[1]), w(size[2]), ci(size[3]), co(size[4]) {
    std::uint32_t seed = 1;
    for (strata::Array<float>* array : {&in, &bias, &weights}) examples::fill(*array, seed++);
  }
  double operations() const { return 2.0 * 9 * double(ci) * double(out.size()); }
  void start() {}
  void plain() { plain_conv(b, h, w, ci, co, in.data(), bias.data(), weights.data(), out.data()); }
  void strata() { benchmarks::check(conv(b, h, w, ci, co, in, bias, weights, out)); }
  benchmarks::Results results() const { return {benchmarks::numbers(out)}; }
};

}  // namespace conv_benchmark
