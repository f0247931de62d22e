#include "core/type.h"

#include <array>

namespace strata {

namespace {

enum class Kind { truth, signed_integer, unsigned_integer, floating };

// significand: the number of consecutive bits of a number that the type can hold, without the sign.
// exponent: the range of exponents of a float (0 otherwise).
struct Traits {
  Type type;
  std::string_view name;
  Kind kind;
  int bits;
  int bytes;
  int significand;
  int exponent;
};

constexpr std::array<Traits, 13> all_traits{{
    {Type::boolean, "boolean", Kind::truth, 1, 1, 1, 0},
    {Type::int8, "int8", Kind::signed_integer, 8, 1, 7, 0},
    {Type::int16, "int16", Kind::signed_integer, 16, 2, 15, 0},
    {Type::int32, "int32", Kind::signed_integer, 32, 4, 31, 0},
    {Type::int64, "int64", Kind::signed_integer, 64, 8, 63, 0},
    {Type::uint8, "uint8", Kind::unsigned_integer, 8, 1, 8, 0},
    {Type::uint16, "uint16", Kind::unsigned_integer, 16, 2, 16, 0},
    {Type::uint32, "uint32", Kind::unsigned_integer, 32, 4, 32, 0},
    {Type::uint64, "uint64", Kind::unsigned_integer, 64, 8, 64, 0},
    {Type::float16, "float16", Kind::floating, 16, 2, 11, 5},
    {Type::bfloat16, "bfloat16", Kind::floating, 16, 2, 8, 8},
    {Type::float32, "float32", Kind::floating, 32, 4, 24, 8},
    {Type::float64, "float64", Kind::floating, 64, 8, 53, 11},
}};

const Traits& traits(Type type) { return all_traits[static_cast<std::size_t>(type)]; }

}  // namespace

bool is_float(Type type) { return traits(type).kind == Kind::floating; }
bool is_signed_integer(Type type) { return traits(type).kind == Kind::signed_integer; }
bool is_unsigned_integer(Type type) { return traits(type).kind == Kind::unsigned_integer; }
bool is_integer(Type type) { return is_signed_integer(type) || is_unsigned_integer(type); }
bool is_half(Type type) { return is_float(type) && bits(type) == 16; }

int bits(Type type) { return traits(type).bits; }
int bytes(Type type) { return traits(type).bytes; }

std::string to_string(Type type) { return std::string(traits(type).name); }

std::optional<Type> type_named(std::string_view name) {
  for (const Traits& t : all_traits)
    if (t.name == name) return t.type;
  return std::nullopt;
}

// Truth values are not numbers, so boolean mixes only with boolean. A float type holds an integer
// type if its significand holds the type's longest number (the smallest signed number is a power of
// two, hence never the longest).
bool holds_every_value(Type to, Type from) {
  if (to == from) return true;
  const Traits &t = traits(to), &f = traits(from);
  if (t.kind == Kind::truth || f.kind == Kind::truth) return false;
  if (t.kind == Kind::unsigned_integer && f.kind != Kind::unsigned_integer) return false;
  if (t.kind != Kind::floating && f.kind == Kind::floating) return false;
  return t.significand >= f.significand && t.exponent >= f.exponent;
}

std::optional<Type> common_type(Type a, Type b) {
  if (holds_every_value(a, b)) return a;
  if (holds_every_value(b, a)) return b;
  return std::nullopt;
}

}  // namespace strata
