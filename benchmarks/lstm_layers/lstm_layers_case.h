// Several layers of LSTM cells over time.
#pragma once

#include <cmath>

#include "benchmarks/common/case.h"
#include "examples/common/random.h"
#include "lstm_layers.h"

extern "C" void plain_lstm_layers(std::int64_t layers, std::int64_t steps, std::int64_t cells,
                                  const float* x, const float* w, const float* u, const float* bias,
                                  float* h, float* c, float* z);

namespace lstm_layers_benchmark {

struct Case {
  // Layers, steps and cells.
  static inline const benchmarks::Sizes sizes = {
      {"2x20x64", {2, 20, 64}}, {"4x100x128", {4, 100, 128}}, {"4x100x256", {4, 100, 256}}};
  static constexpr double tolerance = 1e-4;
  std::int64_t layers, steps, cells, inputs;
  strata::Array<float> x{{steps, cells}}, w{{layers, 4, cells, cells}},
      u{{layers, 4, cells, cells}}, bias{{layers, 4, cells}}, h{{layers, steps + 1, cells}},
      c{{cells}}, z{{4, cells}};

  explicit Case(const std::vector<std::int64_t>& size)
      : layers(size[0]), steps(size[1]), cells(size[2]), inputs(cells) {
    std::uint32_t seed = 1;
    for (strata::Array<float>* array : {&x, &w, &u, &bias}) examples::fill(*array, seed++);
    for (strata::Array<float>* array : {&w, &u})
      for (float& value : *array) value /= std::sqrt(float(cells));
  }
  double operations() const { return 2.0 * 4 * 2 * double(layers * steps * cells * cells); }
  // The states of the last layer.
  float* last() { return h.end() - steps * cells; }
  void start() {}
  void plain() {
    plain_lstm_layers(layers, steps, cells, x.data(), w.data(), u.data(), bias.data(), h.data(),
                      c.data(), z.data());
  }
  void strata() { benchmarks::check(lstm_layers(layers, steps, cells, x, w, u, bias, h)); }
  benchmarks::Results results() const {
    return {std::vector<double>(h.end() - steps * cells, h.end())};
  }
};

}  // namespace lstm_layers_benchmark
