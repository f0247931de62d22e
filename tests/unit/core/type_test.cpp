// The mixing rule, compared with its definition: a type contains another if it has each of its
// values.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "core/type.h"

namespace strata::test::type_test {

namespace {

const std::vector<Type> numbers = {i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64};

// x86's long double has 64 bits of significand: it has every value of every type.
using Real = long double;
static_assert(std::numeric_limits<Real>::digits >= 64);

// Every value except NaN of a 16-bit float with this many fraction bits.
std::set<Real> small_floats(int fraction_bits) {
  const int exponent_bits = 15 - fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
  std::set<Real> values = {std::numeric_limits<Real>::infinity(),
                           -std::numeric_limits<Real>::infinity()};
  for (int exponent = 0; exponent < (1 << exponent_bits) - 1; ++exponent)
    for (int fraction = 0; fraction < (1 << fraction_bits); ++fraction) {
      const Real part = Real(fraction) / Real(1 << fraction_bits);
      const Real value = exponent == 0 ? part * std::pow(Real(2), 1 - bias)
                                       : (1 + part) * std::pow(Real(2), exponent - bias);
      values.insert({value, -value});
    }
  return values;
}

std::set<Real> range(Real low, Real high) {
  std::set<Real> values;
  for (Real v = low; v <= high; ++v) values.insert(v);
  return values;
}

// The extremes of a large type, and values with the longest possible significand.
template <typename T>
std::set<Real> hard_values() {
  using Limits = std::numeric_limits<T>;
  std::set<Real> values = {0, 1, Real(Limits::max()), Real(Limits::lowest())};
  if constexpr (std::is_integral_v<T>) {
    values.insert({Real(Limits::max() - 1), Real(Limits::max() / 2), Real(T(Limits::max() - 2))});
  } else {
    values.insert({Real(Limits::denorm_min()), Real(Limits::infinity()), Real(T(1) / T(3)),
                   Real(1 + Limits::epsilon())});
  }
  return values;
}

const std::set<Real>& values_of(Type type) {
  static const std::set<Real> all[] = {range(-128, 127),
                                       range(-32768, 32767),
                                       hard_values<std::int32_t>(),
                                       hard_values<std::int64_t>(),
                                       range(0, 255),
                                       range(0, 65535),
                                       hard_values<std::uint32_t>(),
                                       hard_values<std::uint64_t>(),
                                       small_floats(10),
                                       small_floats(7),
                                       hard_values<float>(),
                                       hard_values<double>()};
  const auto found = std::find(numbers.begin(), numbers.end(), type);
  return all[found - numbers.begin()];
}

template <typename T>
bool integer_has(Real value) {
  using Limits = std::numeric_limits<T>;
  return value == std::floor(value) && value >= Real(Limits::min()) && value <= Real(Limits::max());
}

bool has_value(Type type, Real value) {
  switch (type) {
    case Type::int32: return integer_has<std::int32_t>(value);
    case Type::int64: return integer_has<std::int64_t>(value);
    case Type::uint32: return integer_has<std::uint32_t>(value);
    case Type::uint64: return integer_has<std::uint64_t>(value);
    case Type::float32: return Real(float(value)) == value;
    case Type::float64: return Real(double(value)) == value;
    default: return values_of(type).count(value) != 0;
  }
}

bool has_each_value(Type to, Type from) {
  for (Real value : values_of(from))
    if (!has_value(to, value)) return false;
  return true;
}

}  // namespace

TEST_CASE("a type holds another exactly if it has each of its values") {
  for (Type to : numbers)
    for (Type from : numbers) {
      INFO(to_string(to) << " <- " << to_string(from));
      CHECK(holds_every_value(to, from) == has_each_value(to, from));
    }
}

TEST_CASE("booleans are not numbers") {
  CHECK(holds_every_value(boolean, boolean));
  for (Type number : numbers) {
    CHECK_FALSE(holds_every_value(boolean, number));
    CHECK_FALSE(holds_every_value(number, boolean));
    CHECK_FALSE(common_type(boolean, number).has_value());
  }
}

TEST_CASE("the common type is the one of the two that holds the other") {
  for (Type a : numbers)
    for (Type b : numbers) {
      INFO(to_string(a) << " and " << to_string(b));
      std::optional<Type> expected;
      if (has_each_value(a, b)) expected = a;
      if (has_each_value(b, a)) expected = b;
      CHECK(common_type(a, b) == expected);
    }
  CHECK(common_type(i8, bf16) == bf16);
  CHECK(common_type(u8, i16) == i16);
  CHECK_FALSE(common_type(f16, bf16).has_value());
  CHECK_FALSE(common_type(i64, f64).has_value());
}

TEST_CASE("each type is of one kind, and its name leads back to it") {
  std::set<std::string> names;
  for (Type type : numbers) {
    CHECK(int(is_float(type)) + int(is_signed_integer(type)) + int(is_unsigned_integer(type)) == 1);
    CHECK(is_integer(type) == !is_float(type));
    CHECK(bytes(type) * 8 == bits(type));
    CHECK(type_named(to_string(type)) == type);
    names.insert(to_string(type));
    // The digits at the end of a name are the size.
    CHECK(to_string(type).substr(to_string(type).find_first_of("0123456789")) ==
          std::to_string(bits(type)));
  }
  CHECK(names.size() == numbers.size());
  CHECK(bits(boolean) == 1);
  CHECK(bytes(boolean) == 1);
  CHECK_FALSE((is_float(boolean) || is_integer(boolean)));
  CHECK(type_named("boolean") == boolean);
  CHECK_FALSE(type_named("int7").has_value());
  CHECK_FALSE(type_named("").has_value());
}

}  // namespace strata::test::type_test
