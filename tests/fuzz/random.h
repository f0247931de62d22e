// Random numbers, the same for the same seed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace strata::fuzz {

using Random = std::mt19937_64;

// A number from lowest to highest, both included.
inline std::int64_t between(Random& random, std::int64_t lowest, std::int64_t highest) {
  return lowest + std::int64_t(random() % std::uint64_t(highest - lowest + 1));
}

// True with a probability of "percent" / 100.
inline bool chance(Random& random, std::int64_t percent) {
  return between(random, 0, 99) < percent;
}

template <typename T>
const T& one_of(Random& random, const std::vector<T>& choices) {
  return choices[std::size_t(between(random, 0, std::int64_t(choices.size()) - 1))];
}

}  // namespace strata::fuzz
