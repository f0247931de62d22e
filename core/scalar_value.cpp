#include "core/scalar_value.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace strata {

namespace {

// The number as 128 bits, if it is an integer.
std::optional<__int128> as_integer(const std::variant<std::int64_t, std::uint64_t, double>& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    if (!(std::abs(*number) < 0x1p65) || std::trunc(*number) != *number) return std::nullopt;
    return __int128(*number);
  }
  if (const auto* number = std::get_if<std::int64_t>(&value)) return __int128(*number);
  return __int128(std::get<std::uint64_t>(value));
}

}  // namespace

std::optional<std::uint64_t> ScalarValue::passed_as(Type type) const {
  if (is_float(type)) {
    const auto at_once = [](auto number) { return float(number); };
    if (type == Type::float64)
      return std::bit_cast<std::uint64_t>(std::visit([](auto n) { return double(n); }, value_));
    return std::bit_cast<std::uint32_t>(std::visit(at_once, value_));
  }
  const auto number = as_integer(value_);
  const int width = type == Type::boolean ? 1 : bits(type);
  const bool is_signed = is_signed_integer(type);
  const __int128 least = is_signed ? -(__int128(1) << (width - 1)) : 0;
  const __int128 most = (__int128(1) << (is_signed ? width - 1 : width)) - 1;
  if (!number || *number < least || *number > most) return std::nullopt;
  return std::uint64_t(*number);
}

std::string ScalarValue::text() const {
  return std::visit([](auto number) { return fmt::format("{}", number); }, value_);
}

}  // namespace strata
