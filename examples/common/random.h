// Numbers without a pattern, the same in every run.
#pragma once

#include <strata/buffer.h>

#include <cstdint>

namespace examples {

// Fills the array with numbers between -1 and 1; arrays with different seeds differ.
template <typename T>
void fill(strata::Array<T>& array, std::uint32_t seed) {
  std::uint32_t state = seed;
  for (T& value : array) {
    state = state * 1664525 + 1013904223;
    value = T(state >> 8) / T(1 << 23) - 1;
  }
}

}  // namespace examples
