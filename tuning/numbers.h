// Numbers in memory: made from a seed, and compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/type.h"

namespace strata::tuning {

// The same numbers for the same seed, everywhere.
class Numbers {
 public:
  // Integers are in [0, most), booleans any, floats in [0.5, 1.5).
  Numbers(std::uint64_t seed, std::int64_t most) : state_(seed), most_(std::uint64_t(most)) {}

  void fill(Type type, void* memory, std::size_t count);

 private:
  std::uint64_t next();

  std::uint64_t state_, most_;
};

struct Memory {
  std::uint8_t* begin = nullptr;
  std::size_t bytes = 0;
};

// An element as a number; of a 64-bit integer, the nearest double.
double number_at(Type type, const void* memory, std::size_t index);

// The first difference between the elements in memory and the bytes that they should be:
// integers are equal, floats within a tolerance relative to the largest magnitude, which is 0 if
// "exact". Empty if there is none: else "element 17 is 3 and should be 4".
std::string difference(Type type, const Memory& found, const std::string& expected, bool exact);

}  // namespace strata::tuning
