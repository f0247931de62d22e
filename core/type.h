// The scalar types of values, and the rule for mixing two of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata {

// clang-format off
enum class Type {
  boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
  float16, bfloat16, float32, float64,
};
// clang-format on

// Their names in programs.
inline constexpr Type boolean = Type::boolean;
inline constexpr Type i8 = Type::int8, i16 = Type::int16, i32 = Type::int32, i64 = Type::int64;
inline constexpr Type u8 = Type::uint8, u16 = Type::uint16, u32 = Type::uint32, u64 = Type::uint64;
inline constexpr Type f16 = Type::float16, bf16 = Type::bfloat16;
inline constexpr Type f32 = Type::float32, f64 = Type::float64;

bool is_float(Type type);
bool is_signed_integer(Type type);
bool is_unsigned_integer(Type type);
bool is_integer(Type type);
bool is_half(Type type);  // a float of 16 bits

// The size of a value: in bits of information (1 for boolean), and in bytes as stored.
int bits(Type type);
int bytes(Type type);

// "float32", and the reverse.
std::string to_string(Type type);
std::optional<Type> type_named(std::string_view name);

// True if "to" represents every value of "from" exactly; boolean only if both are boolean.
bool holds_every_value(Type to, Type from);

// The type of an operation on both: the one that holds every value of the other.
std::optional<Type> common_type(Type a, Type b);

}  // namespace strata
