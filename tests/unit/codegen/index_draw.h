// Random integer expressions over indices and data, and numbers near the limits of their types.
#pragma once

#include <random>

#include "tests/unit/codegen/plain_value.h"

namespace strata::test {

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  std::int64_t below(std::int64_t count) { return std::int64_t(random_() % std::uint64_t(count)); }
  bool one_in(std::int64_t count) { return below(count) == 0; }
  std::int64_t small() { return below(17) - 8; }
  // At least 2, sometimes a power of two.
  std::int64_t divisor() { return one_in(4) ? std::int64_t{2} << below(61) : 2 + below(11); }
  // Near a limit of a type with up to this many bits and a sign, or small.
  std::int64_t number(int places);
  Numbers numbers();

  Expr index();  // over i and N
  Expr data();   // from an element of x, as int64
  Expr leaf() { return one_in(2) ? index() : data(); }
  Expr sum();  // a sum of multiples of leaves
  // Nested quotients, remainders, extrema and selects of sums.
  Expr nested(int depth);

 private:
  template <typename T>
  const T& one_of(const std::vector<T>& list) {
    return list[std::size_t(below(std::int64_t(list.size())))];
  }

  std::mt19937_64 random_;
};

}  // namespace strata::test
