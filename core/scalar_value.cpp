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

// The float32 towards zero, with the last bit set if it is not the number: rounded once more, to 11
// bits or less, it is what the number rounds to (rounding to odd: Boldo and Melquiond, "Emulation
// of FMA and correctly rounded sums", IEEE TC 2008).
float rounded_to_odd(long double number) {
  const float nearest = float(number);
  if (std::isnan(number) || nearest == number) return nearest;
  const bool beyond = std::abs((long double)nearest) > std::abs(number);
  const float inner = beyond ? std::nextafter(nearest, 0.0f) : nearest;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(inner) | 1u);
}

}  // namespace

std::optional<std::uint64_t> ScalarValue::passed_as(Type type) const {
  if (is_float(type)) {
    if (type == Type::float64)
      return std::bit_cast<std::uint64_t>(std::visit([](auto n) { return double(n); }, value_));
    const bool is_single = type == Type::float32;
    return std::bit_cast<std::uint32_t>(
        std::visit([&](auto n) { return is_single ? float(n) : rounded_to_odd(n); }, value_));
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
