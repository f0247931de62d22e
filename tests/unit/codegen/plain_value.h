// The value of an expression over k, i, N and the buffer x, computed by a plain walk in 64 bits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/expr/expr.h"

namespace strata::test {

// k, i, N and three elements of x; an element of a narrower type is its low bits.
struct Numbers {
  static constexpr int count = 6;
  std::int64_t k = 0, i = 0, n = 0;
  std::array<std::int64_t, 3> data{};
  std::string text() const;
};

// Follows core/expr/expr.h, with wrapping integers. Nothing if an index, a part made of k, i, N
// and constants alone, exceeds 2^61: no kernel runs with such indices.
std::optional<std::int64_t> plain_value(const Expr& e, const Numbers& at);

}  // namespace strata::test
