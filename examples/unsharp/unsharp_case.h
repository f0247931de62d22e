// A picture in planes, and its unsharp mask by the kernel and by hand.
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cmath>
#include <stdexcept>

#include "examples/common/random.h"
#include "examples/unsharp/plain_unsharp.h"
#include "unsharp.h"

namespace unsharp_example {

struct Case {
  std::int64_t n, w;
  strata::Array<float> in, bx, sharp, expected;

  Case(std::int64_t rows, std::int64_t columns)
      : n(rows), w(columns), in({3, n, w}), bx({3, n, w}), sharp({3, n, w}), expected({3, n, w}) {
    examples::fill(in, 12345);
  }
  void by_kernel() {
    if (unsharp(n, w, in, sharp) != 0) throw std::runtime_error(strata_last_error());
  }
  void by_hand() { plain_unsharp(n, w, in.data(), bx.data(), expected.data()); }
  // Of numbers up to 4, after about ten roundings, some of them in fused multiply-adds.
  bool is_right() const {
    for (std::size_t k = 0; k < sharp.size(); ++k)
      if (!(std::fabs(sharp.data()[k] - expected.data()[k]) <= 4e-6f)) return false;
    return true;
  }
};

}  // namespace unsharp_example
