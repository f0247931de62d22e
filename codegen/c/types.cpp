#include "codegen/c/types.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace strata::c {

namespace {

std::string integer_constant(Type type, std::int64_t value) {
  if (type == Type::uint64) return fmt::format("UINT64_C({})", std::uint64_t(value));
  if (type == Type::uint32) return std::to_string(value) + "u";
  return number(value);
}

std::string float_constant(Type type, double value) {
  const std::string narrow = type == Type::float64 ? "" : "f";
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value < 0 ? "(-INFINITY)" : "INFINITY";
  std::string text =
      type == Type::float64 ? fmt::format("{}", value) : fmt::format("{}", float(value));
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  text += narrow;
  return std::signbit(value) ? "(" + text + ")" : text;
}

}  // namespace

std::string value_type(Type type) {
  if (type == Type::boolean) return "bool";
  if (is_float(type)) return type == Type::float64 ? "double" : "float";
  return (is_signed_integer(type) ? "int" : "uint") + std::to_string(bits(type)) + "_t";
}

std::string memory_type(Type type) {
  if (type == Type::boolean) return "uint8_t";
  return is_half(type) ? "uint16_t" : value_type(type);
}

std::string argument_type(Type type) {
  const bool narrow = !is_float(type) && bits(type) < 32;
  return narrow ? "int32_t" : value_type(type);
}

std::string suffix(Type type) {
  if (type == Type::boolean) return "bool";
  if (type == Type::bfloat16) return "bf16";
  const char* const kind = is_float(type) ? "f" : is_signed_integer(type) ? "i" : "u";
  return kind + std::to_string(bits(type));
}

std::string number(std::int64_t value) {
  if (value == std::numeric_limits<std::int64_t>::min()) return "INT64_MIN";
  const std::string text = std::to_string(value);
  const bool wide = value > std::numeric_limits<std::int32_t>::max() ||
                    value < -std::numeric_limits<std::int32_t>::max();
  const std::string whole = wide ? "INT64_C(" + text + ")" : text;
  return value < 0 && !wide ? "(" + whole + ")" : whole;
}

std::string constant_text(const ExprNode& constant) {
  if (is_float(constant.type)) return float_constant(constant.type, constant.real);
  if (constant.type == Type::boolean) return constant.integer ? "true" : "false";
  return integer_constant(constant.type, constant.integer);
}

}  // namespace strata::c
