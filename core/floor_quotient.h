// Division of integers that rounds towards minus infinity.
#pragma once

namespace strata {

// floor(a / b), b not 0. The quotient fits: it is not the least integer divided by -1.
template <typename Integer>
constexpr Integer floor_quotient(Integer a, Integer b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace strata
