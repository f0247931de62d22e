// Constants as text: the shortest decimal that rounds back to the value.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/expr/expr_text.h"
#include "core/float_bits.h"

namespace strata {

namespace {

struct Suffix {
  Type type;
  std::string_view text;
};

constexpr std::array<Suffix, 12> suffixes{{{Type::int8, "i8"},
                                           {Type::int16, "i16"},
                                           {Type::int32, "i32"},
                                           {Type::int64, ""},
                                           {Type::uint8, "u8"},
                                           {Type::uint16, "u16"},
                                           {Type::uint32, "u32"},
                                           {Type::uint64, "u64"},
                                           {Type::float16, "f16"},
                                           {Type::bfloat16, "bf16"},
                                           {Type::float32, "f32"},
                                           {Type::float64, ""}}};

std::string suffix_of(Type type) {
  const auto found = std::find_if(suffixes.begin(), suffixes.end(),
                                  [&](const Suffix& s) { return s.type == type; });
  return std::string(found->text);
}

// The value of all of "text", or nothing.
template <typename T>
std::optional<T> number_from(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

// float32 is parsed directly: parsed as a double it might be rounded twice.
std::optional<double> real_from(Type type, std::string_view text) {
  if (type != Type::float32) {
    const auto value = number_from<double>(text);
    return value ? std::optional(rounded_to(type, *value)) : std::nullopt;
  }
  const auto value = number_from<float>(text);
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

// 17 digits are enough for every double.
std::string shortest(Type type, double value) {
  std::array<char, 64> buffer{};
  std::string text;
  for (int digits = 1; digits <= 17; ++digits) {
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::general, digits);
    text.assign(buffer.data(), end.ptr);
    if (real_from(type, text) == value) break;
  }
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string word_text(Type type, const char* word) {
  const std::string suffix = suffix_of(type);
  return suffix.empty() ? word : word + ("_" + suffix);
}

std::optional<Expr> real_from_text(Type type, std::string_view digits) {
  const auto value = real_from(type, digits);
  return value ? std::optional(real_constant(type, *value)) : std::nullopt;
}

std::optional<Expr> integer_from_text(Type type, std::string_view digits) {
  if (type == Type::uint64) {
    const auto value = number_from<std::uint64_t>(digits);
    if (!value) return std::nullopt;
    return constant(type, static_cast<std::int64_t>(*value));
  }
  const auto value = number_from<std::int64_t>(digits);
  if (!value) return std::nullopt;
  const Expr result = constant(type, *value);
  return result.node().integer == *value ? std::optional(result) : std::nullopt;
}

std::optional<Expr> word_from_text(std::string_view text) {
  if (text == "true" || text == "false") return constant(boolean, text == "true" ? 1 : 0);
  const bool negative = text.substr(0, 1) == "-";
  if (negative) text.remove_prefix(1);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Suffix& s : suffixes) {
    if (!is_float(s.type)) continue;
    if (text == word_text(s.type, "inf"))
      return real_constant(s.type, negative ? -infinity : infinity);
    if (text == word_text(s.type, "nan") && !negative)
      return real_constant(s.type, std::numeric_limits<double>::quiet_NaN());
  }
  return std::nullopt;
}

}  // namespace

std::string constant_text(const Expr& constant) {
  const ExprNode& c = constant.node();
  if (c.type == Type::boolean) return c.integer != 0 ? "true" : "false";
  if (is_float(c.type)) {
    if (std::isnan(c.real)) return word_text(c.type, "nan");
    if (std::isinf(c.real)) return (c.real < 0 ? "-" : "") + word_text(c.type, "inf");
    return shortest(c.type, c.real) + suffix_of(c.type);
  }
  if (c.type == Type::uint64)
    return std::to_string(static_cast<std::uint64_t>(c.integer)) + suffix_of(c.type);
  return std::to_string(c.integer) + suffix_of(c.type);
}

std::optional<Expr> constant_from_text(const std::string& text) {
  if (auto word = word_from_text(text)) return word;
  const std::size_t end_of_digits = text.find_first_not_of("-+.e0123456789");
  const std::string_view digits = std::string_view(text).substr(0, end_of_digits);
  const std::string_view suffix =
      end_of_digits == std::string::npos ? "" : std::string_view(text).substr(end_of_digits);
  if (suffix.empty()) {
    const bool real = digits.find_first_of(".e") != std::string_view::npos;
    return real ? real_from_text(f64, digits) : integer_from_text(i64, digits);
  }
  for (const Suffix& s : suffixes)
    if (s.text == suffix)
      return is_float(s.type) ? real_from_text(s.type, digits) : integer_from_text(s.type, digits);
  return std::nullopt;
}

}  // namespace strata
