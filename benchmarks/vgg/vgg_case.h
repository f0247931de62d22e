// A block of a VGG network: two 3 x 3 convolution layers with ReLU, then a pooling layer.
#pragma once

#include "benchmarks/common/case.h"
#include "examples/common/random.h"
#include "vgg.h"

extern "C" void plain_vgg(std::int64_t h, std::int64_t w, std::int64_t ci, std::int64_t c,
                          const float* in, const float* w1, const float* b1, const float* w2,
                          const float* b2, float* layer1, float* layer2, float* pool);

namespace vgg_benchmark {

struct Case {
  // Rows, columns and channels of the picture, and channels of both layers.
  static inline const benchmarks::Sizes sizes = {{"40x60x8x32", {40, 60, 8, 32}},
                                                 {"224x224x3x64", {224, 224, 3, 64}}};
  static constexpr double tolerance = 1e-5;
  std::int64_t h, w, ci, c;
  strata::Array<float> in{{h + 4, w + 4, ci}}, w1{{3, 3, ci, c}}, b1{{c}}, w2{{3, 3, c, c}},
      b2{{c}}, layer1{{h + 2, w + 2, c}}, layer2{{h, w, c}}, pool{{h / 2, w / 2, c}};

  explicit Case(const std::vector<std::int64_t>& size)
      : h(size[0]), w(size[1]), ci(size[2]), c(size[3]) {
    std::uint32_t seed = 1;
    for (strata::Array<float>* array : {&in, &w1, &b1, &w2, &b2}) examples::fill(*array, seed++);
  }
  double operations() const {
    return 2.0 * 9 * double(c) * (double(ci * (h + 2) * (w + 2)) + double(c * h * w));
  }
  void start() {}
  void plain() {
    plain_vgg(h, w, ci, c, in.data(), w1.data(), b1.data(), w2.data(), b2.data(), layer1.data(),
              layer2.data(), pool.data());
  }
  void strata() { benchmarks::check(vgg(h / 2, w / 2, ci, c, in, w1, b1, w2, b2, pool)); }
  benchmarks::Results results() const { return {benchmarks::numbers(pool)}; }
};

}  // namespace vgg_benchmark
