// Numbers in memory: made from a seed, and compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/type.h"

namespace strata::tuning {

// Makes numbers: the same ones for the same seed, everywhere.
class Numbers {
 public:
  // Integers are in [0, most), booleans are false or true, and floats are in [0.5, 1.5).
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

// An element as a number. For a 64-bit integer this is the nearest double.
double number_at(Type type, const void* memory, std::size_t index);

// The first difference between the elements in memory and the expected bytes: "element 17 is 3 and
// should be 4", or empty if there is none. Integers must be equal. Floats may differ by a tolerance
// relative to the largest magnitude, or by "more" if that is larger; not at all if "exact".
std::string difference(Type type, const Memory& found, const std::string& expected, bool exact,
                       double more = 0);

// By how much sums in another order may change the floats, if "nudged" are the results after a
// nudge of all inputs. 0 of other types.
double effect_of_rounding(Type type, const std::string& results, const std::string& nudged);

// Changes each float by a unit in its last place.
void nudge(Type type, const Memory& memory);

}  // namespace strata::tuning
