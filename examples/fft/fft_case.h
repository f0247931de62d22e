// Rows of complex numbers, and their transforms by a kernel and by hand.
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "examples/common/random.h"
#include "examples/fft/plain_fft.h"
#include "fft.h"

namespace fft_example {

struct Case {
  std::int64_t rows, points;
  strata::Array<float> re, im, cosine, sine, out_re, out_im, by_hand_re, by_hand_im;
  std::vector<float> turn;

  explicit Case(std::int64_t number, std::int64_t size = 1024)
      : rows(number),
        points(size),
        re({rows, points}),
        im({rows, points}),
        cosine({4, (points + 3) / 4}),
        sine({4, (points + 3) / 4}),
        out_re({rows, points}),
        out_im({rows, points}),
        by_hand_re({rows, points}),
        by_hand_im({rows, points}),
        turn(6 * 1024) {
    examples::fill(re, 1);
    examples::fill(im, 2);
    for (std::int64_t k = 0; k < 4; ++k)
      for (std::int64_t p = 0; p < cosine.extent(1); ++p) {
        cosine(k, p) = float(std::cos(angle(k * p)));
        sine(k, p) = float(std::sin(angle(k * p)));
      }
    plain_fft_turns(turn.data());
  }
  double angle(std::int64_t j) const {
    return -2 * 3.14159265358979323846 * double(j) / double(points);
  }
  void by_kernel() {
    if (fft(rows, re, im, cosine, sine, out_re, out_im) != 0)
      throw std::runtime_error(strata_last_error());
  }
  void by_hand() {
    plain_fft(rows, turn.data(), re.data(), im.data(), by_hand_re.data(), by_hand_im.data());
  }
  // The definition: out(k) = sum over j of (re(j) + i im(j)) e^(-2 pi i j k / points).
  void by_definition() {
    std::vector<double> c, s;
    for (std::int64_t j = 0; j < points; ++j) {
      c.push_back(std::cos(angle(j)));
      s.push_back(std::sin(angle(j)));
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t k = 0; k < points; ++k) {
        double sum_re = 0, sum_im = 0;
        for (std::int64_t j = 0; j < points; ++j) {
          const auto turned = std::size_t(j * k % points);
          const double x = re(row, j), y = im(row, j);
          sum_re += x * c[turned] - y * s[turned];
          sum_im += x * s[turned] + y * c[turned];
        }
        by_hand_re(row, k) = float(sum_re);
        by_hand_im(row, k) = float(sum_im);
      }
    }
  }
  // A result has about the size sqrt(points), and an error of a few roundings of that.
  bool is_right() const {
    const float tolerance = 1e-6f * (1 + std::sqrt(float(points)));
    for (std::size_t x = 0; x < out_re.size(); ++x)
      if (!(std::fabs(out_re.data()[x] - by_hand_re.data()[x]) <= tolerance &&
            std::fabs(out_im.data()[x] - by_hand_im.data()[x]) <= tolerance))
        return false;
    return true;
  }
};

}  // namespace fft_example
