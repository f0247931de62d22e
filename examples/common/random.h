// Pseudo-random numbers, the same in every run.
#pragma once

#include <strata/buffer.h>

#include <cstdint>

namespace examples {

// The linear congruential generator modulo 2^32 of Numerical Recipes (2nd edition, section 7.1).
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}

  std::uint32_t bits() { return state_ = state_ * 1664525 + 1013904223; }
  // 0 <= result < limit
  std::int64_t below(std::int64_t limit) {
    return std::int64_t((std::uint64_t(bits()) * std::uint64_t(limit)) >> 32);
  }
  // Between -1 and 1, exactly representable in each T.
  template <typename T>
  T signed_unit() {
    return T(bits() >> 8) / T(1 << 23) - 1;
  }

 private:
  std::uint32_t state_;
};

// Fills the array with numbers between -1 and 1; different seeds give different numbers.
template <typename T>
void fill(strata::Array<T>& array, std::uint32_t seed) {
  Random random(seed);
  for (T& value : array) value = random.signed_unit<T>();
}

}  // namespace examples
