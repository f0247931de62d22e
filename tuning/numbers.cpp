#include "tuning/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/float_bits.h"

namespace strata::tuning {

namespace {

template <typename T>
T element(const void* memory, std::size_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(memory) + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void set_element(void* memory, std::size_t index, T value) {
  std::memcpy(static_cast<char*>(memory) + index * sizeof(T), &value, sizeof(T));
}

void write_float(Type type, void* memory, std::size_t index, double value) {
  if (type == f64)
    set_element(memory, index, value);
  else if (type == f32)
    set_element(memory, index, float(value));
  else
    set_element(memory, index, type == f16 ? to_binary16(value) : to_bfloat16(value));
}

// Sums of some thousand terms in two orders differ by less than this, relative to the largest
// result.
double tolerance(Type type) {
  if (type == f64) return 1e-9;
  return type == f32 ? 1e-3 : type == f16 ? 2e-2 : 1e-1;
}

// So many units in the last place may a sum in another order differ. Where a nudge of the inputs
// changes results as usual, that is less than the tolerance.
double rounding_errors(Type type) { return type == f64 ? 1000 : type == f32 ? 100 : 4; }

double largest_magnitude(Type type, const std::string& bytes_expected) {
  double largest = 0;
  const std::size_t count = bytes_expected.size() / std::size_t(bytes(type));
  for (std::size_t n = 0; n < count; ++n) {
    const double value = std::abs(number_at(type, bytes_expected.data(), n));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

}  // namespace

// splitmix64: Steele, Lea, Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
std::uint64_t Numbers::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void Numbers::fill(Type type, void* memory, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint64_t drawn = next() >> 11;  // 53 bits
    if (is_float(type)) {
      write_float(type, memory, n, 0.5 + std::ldexp(double(drawn), -53));
      continue;
    }
    const std::uint64_t value = type == boolean ? drawn & 1 : drawn % most_;
    const auto size = std::size_t(bytes(type));
    std::memcpy(static_cast<char*>(memory) + n * size, &value, size);
  }
}

double number_at(Type type, const void* memory, std::size_t n) {
  switch (type) {
    case Type::boolean: return element<std::uint8_t>(memory, n);
    case Type::int8: return element<std::int8_t>(memory, n);
    case Type::int16: return element<std::int16_t>(memory, n);
    case Type::int32: return element<std::int32_t>(memory, n);
    case Type::int64: return double(element<std::int64_t>(memory, n));
    case Type::uint8: return element<std::uint8_t>(memory, n);
    case Type::uint16: return element<std::uint16_t>(memory, n);
    case Type::uint32: return element<std::uint32_t>(memory, n);
    case Type::uint64: return double(element<std::uint64_t>(memory, n));
    case Type::float16: return from_binary16(element<std::uint16_t>(memory, n));
    case Type::bfloat16: return from_bfloat16(element<std::uint16_t>(memory, n));
    case Type::float32: return double(element<float>(memory, n));
    case Type::float64: return element<double>(memory, n);
  }
  return 0;
}

double effect_of_rounding(Type type, const std::string& results, const std::string& nudged) {
  if (!is_float(type)) return 0;
  double largest = 0;
  for (std::size_t n = 0; n < results.size() / std::size_t(bytes(type)); ++n) {
    const double apart =
        std::abs(number_at(type, results.data(), n) - number_at(type, nudged.data(), n));
    if (std::isfinite(apart)) largest = std::max(largest, apart);
  }
  return rounding_errors(type) * largest;
}

void nudge(Type type, const Memory& memory) {
  const auto size = std::size_t(bytes(type));
  if (!is_float(type)) return;
  for (std::size_t n = 0; n < memory.bytes; n += size) memory.begin[n] ^= 1;
}

std::string difference(Type type, const Memory& found, const std::string& expected, bool exact,
                       double more) {
  if (found.bytes != expected.size()) return "it has another size";
  if (std::memcmp(found.begin, expected.data(), found.bytes) == 0) return "";
  const auto size = std::size_t(bytes(type));
  const double bound =
      exact ? 0 : std::max(more, tolerance(type) * largest_magnitude(type, expected));
  for (std::size_t n = 0; n < found.bytes / size; ++n) {
    if (std::memcmp(found.begin + n * size, expected.data() + n * size, size) == 0) continue;
    const double is = number_at(type, found.begin, n), should = number_at(type, expected.data(), n);
    const bool close = is_float(type) && (is == should || std::abs(is - should) <= bound);
    if (close || (std::isnan(is) && std::isnan(should))) continue;
    return fmt::format("element {} is {} and should be {}", n, is, should);
  }
  return "";
}

}  // namespace strata::tuning
