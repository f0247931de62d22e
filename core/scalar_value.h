// A number that a call of a kernel passes for a scalar.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/type.h"

namespace strata {

class ScalarValue {
 public:
  template <typename T>
    requires(std::integral<T> || std::floating_point<T>)
  ScalarValue(T value) {
    if constexpr (std::floating_point<T>)
      value_ = double(value);
    else if constexpr (std::signed_integral<T>)
      value_ = std::int64_t(value);
    else
      value_ = std::uint64_t(value);
  }

  // What the kernel gets, in the first bytes (little-endian): a float is rounded to "type", a
  // 16-bit one is passed as a float32, a boolean as a byte. Nothing if an integer type does not
  // have the value.
  std::optional<std::uint64_t> passed_as(Type type) const;

  std::string text() const;

 private:
  std::variant<std::int64_t, std::uint64_t, double> value_;
};

}  // namespace strata
