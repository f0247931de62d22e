// Queries, keys and values, and their attention by the kernel and by hand.
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cmath>
#include <stdexcept>

#include "attention.h"
#include "examples/attention/plain_attention.h"
#include "examples/common/random.h"

namespace attention_example {

struct Case {
  std::int64_t n, d;
  strata::Array<float> q, k, v, row, out, expected;

  // Queries up to "sharpness" in magnitude: the larger they are, the fewer keys have weight.
  Case(std::int64_t number, std::int64_t size, float sharpness = 1)
      : n(number),
        d(size),
        q({n, d}),
        k({n, d}),
        v({n, d}),
        row({n}),
        out({n, d}),
        expected({n, d}) {
    examples::fill(q, 1);
    for (float& x : q) x *= sharpness;
    examples::fill(k, 2);
    examples::fill(v, 3);
  }
  void by_kernel() {
    if (attention(n, d, q, k, v, out) != 0) throw std::runtime_error(strata_last_error());
  }
  void by_hand() {
    plain_attention(n, d, q.data(), k.data(), v.data(), row.data(), expected.data());
  }
  // Means of numbers up to 1, with positive weights. A weight has the absolute error of its score
  // as relative error: about sqrt(d) roundings of a score up to sharpness sqrt(d).
  bool is_right(float tolerance = 1e-5f) const {
    for (std::size_t x = 0; x < out.size(); ++x)
      if (!(std::fabs(out.data()[x] - expected.data()[x]) <= tolerance)) return false;
    return true;
  }
};

}  // namespace attention_example
