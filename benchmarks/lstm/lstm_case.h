// The layer of LSTM cells of examples/lstm.
#pragma once

#include "benchmarks/common/case.h"
#include "examples/lstm/lstm_case.h"
#include "examples/lstm/plain_lstm.h"

namespace lstm_benchmark {

struct Case : lstm_example::Layer {
  // Steps and cells.
  static inline const benchmarks::Sizes sizes = {
      {"20x64", {20, 64}}, {"100x256", {100, 256}}, {"100x512", {100, 512}}};
  static constexpr double tolerance = 1e-4;
  static constexpr std::int64_t layers = 1;
  strata::Array<float> c, z;

  explicit Case(const std::vector<std::int64_t>& size)
      : lstm_example::Layer(size[0], size[1], size[1]), c({size[1]}), z({4, size[1]}) {}
  double operations() const {
    return 2.0 * 4 * double(steps) * double(cells) * double(cells + inputs);
  }
  float* last() { return h.data() + cells; }
  void start() {}
  void plain() {
    plain_lstm(steps, cells, inputs, x.data(), w.data(), u.data(), bias.data(), h.data(), c.data(),
               z.data());
  }
  void strata() { run(); }
  benchmarks::Results results() const { return {std::vector<double>(h.begin() + cells, h.end())}; }
};

}  // namespace lstm_benchmark
