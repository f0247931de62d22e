// A grid, and its steps by the kernel and by hand.
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cmath>
#include <stdexcept>

#include "examples/common/random.h"
#include "examples/heat/plain_heat.h"
#include "heat.h"

namespace heat_example {

struct Case {
  std::int64_t steps, n, m;
  strata::Array<float> grid, r, last, change, by_hand_last, by_hand_change, next;

  Case(std::int64_t number, std::int64_t rows, std::int64_t columns)
      : steps(number),
        n(rows),
        m(columns),
        grid({n, m}),
        r(std::vector<std::int64_t>{}, 0.2f),
        last({n, m}),
        change({steps}),
        by_hand_last({n, m}),
        by_hand_change({steps}),
        next({n, m}) {
    examples::fill(grid, 12345);
  }
  void by_kernel() {
    if (heat(steps, n, m, grid, r, change, last) != 0)
      throw std::runtime_error(strata_last_error());
  }
  void by_hand() {
    by_hand_last = grid;
    plain_heat(steps, n, m, 0.2f, by_hand_last.data(), next.data(), by_hand_change.data());
  }
  float tolerance(float sum) const {
    const float cells = float(n * m);
    return 1e-4f * sum + 1e-6f * std::sqrt(cells * sum) + 1e-12f * cells;
  }
  // The mean of numbers up to 1 in each step, and sums of squared differences of such numbers, each
  // rounded to about 1e-6, in another order.
  bool is_right() const {
    for (std::size_t x = 0; x < last.size(); ++x)
      if (!(std::fabs(last.data()[x] - by_hand_last.data()[x]) <= 1e-6f * float(steps + 1)))
        return false;
    for (std::int64_t t = 0; t < steps; ++t)
      if (!(std::fabs(change(t) - by_hand_change(t)) <= tolerance(by_hand_change(t)))) return false;
    return true;
  }
};

}  // namespace heat_example
