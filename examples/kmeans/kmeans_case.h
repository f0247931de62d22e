// Points and centres, and a step of k-means by the kernel and by hand.
#pragma once

#include <strata/buffer.h>
#include <strata/runtime.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "examples/common/random.h"
#include "examples/kmeans/plain_kmeans.h"
#include "kmeans.h"

namespace kmeans_example {

struct Case {
  std::int64_t p, c, d;
  strata::Array<float> x, m, centre, by_hand_centre;
  strata::Array<std::int64_t> label, by_hand_label, count;

  // Coordinates are multiples of 1/16 up to 1, so that distances are exact and ties are ties.
  Case(std::int64_t points, std::int64_t centres, std::int64_t dimensions)
      : p(points),
        c(centres),
        d(dimensions),
        x({d, p}),
        m({c, d}),
        centre({c, d}),
        by_hand_centre({c, d}),
        label({p}),
        by_hand_label({p}),
        count({c}) {
    examples::fill(x, 1);
    examples::fill(m, 2);
    for (float& number : x) number = std::floor(number * 16) / 16;
    for (float& number : m) number = std::floor(number * 16) / 16;
  }
  void by_kernel() {
    if (kmeans(p, c, d, x, m, label, centre) != 0) throw std::runtime_error(strata_last_error());
  }
  void by_hand() {
    plain_kmeans(p, c, d, x.data(), m.data(), by_hand_label.data(), count.data(),
                 by_hand_centre.data());
  }
  // The labels are equal, and so are the totals, which are exact too.
  bool is_right() const {
    return std::equal(label.begin(), label.end(), by_hand_label.begin()) &&
           std::equal(centre.begin(), centre.end(), by_hand_centre.begin());
  }
};

}  // namespace kmeans_example
