// A layer with its weights, and its results by the kernel and in double precision.
#pragma once

#include <strata/runtime.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "examples/common/random.h"
#include "lstm.h"

namespace lstm_example {

struct Layer {
  std::int64_t steps, cells, inputs;
  strata::Array<float> x{{steps, inputs}}, w{{4, inputs, cells}}, u{{4, cells, cells}},
      bias{{4, cells}}, h{{steps + 1, cells}, -7.0f};

  Layer(std::int64_t steps, std::int64_t cells, std::int64_t inputs)
      : steps(steps), cells(cells), inputs(inputs) {
    std::uint32_t seed = 1;
    for (strata::Array<float>* array : {&x, &w, &u, &bias}) examples::fill(*array, seed++);
    // Weights for which sums are of about unit size, as after training.
    for (float& value : w) value /= std::sqrt(float(inputs));
    for (float& value : u) value /= std::sqrt(float(cells));
  }

  void run() {
    if (lstm(steps, cells, inputs, x, w, u, bias, h) != 0)
      throw std::runtime_error(strata_last_error());
  }

  // The largest difference of h from the result in double precision.
  double largest_error() const {
    const auto s = [](double y) { return 1 / (1 + std::exp(-y)); };
    std::vector<double> before(std::size_t(cells), 0.0), now = before, c = before;
    double largest = 0;
    for (std::int64_t j = 0; j < cells; ++j) largest = std::fmax(largest, std::fabs(h(0, j)));
    for (std::int64_t t = 0; t < steps; ++t) {
      for (std::int64_t j = 0; j < cells; ++j) {
        double z[4];
        for (std::int64_t g = 0; g < 4; ++g) {
          z[g] = bias(g, j);
          for (std::int64_t d = 0; d < inputs; ++d) z[g] += double(w(g, d, j)) * x(t, d);
          for (std::int64_t k = 0; k < cells; ++k) z[g] += double(u(g, k, j)) * before[k];
        }
        c[j] = s(z[1]) * c[j] + s(z[0]) * std::tanh(z[2]);
        now[j] = s(z[3]) * std::tanh(c[j]);
        const double error = std::fabs(now[j] - h(t + 1, j));
        if (!(error <= largest)) largest = error;
      }
      before = now;
    }
    return largest;
  }
};

}  // namespace lstm_example
