#include "codegen/c/helpers.h"

#include <fmt/format.h>

#include "codegen/c/types.h"
#include "codegen/refusal.h"

namespace strata::c {

namespace {

// In a definition $T is the type, $U the unsigned type of its width, $W that width in bits, and $N
// the name of the function.
std::string filled(std::string text, Type type, const std::string& name) {
  const std::string value = value_type(type);
  const std::string word = is_integer(type) ? "uint" + std::to_string(bits(type)) + "_t" : value;
  const std::map<std::string, std::string> parts{
      {"$T", value}, {"$U", word}, {"$N", name}, {"$W", std::to_string(bits(type))}};
  for (const auto& [mark, part] : parts)
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += part.size())
      text.replace(at, mark.size(), part);
  return text;
}

const char* const signed_division = R"(/* Rounded down; x / 0 is 0, and a quotient by -1 wraps. */
static inline $T $N($T a, $T b) {
  if (b == 0) return 0;
  if (b == -1) return ($T)(0 - ($U)a);
  return ($T)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}
)";
const char* const signed_remainder = R"(/* Of the quotient rounded down; x % 0 is 0. */
static inline $T $N($T a, $T b) {
  if (b == 0 || b == -1) return 0;
  const $T rest = ($T)(a % b);
  return ($T)(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}
)";
const char* const unsigned_division = R"(/* x / 0 is 0. */
static inline $T $N($T a, $T b) {
  return b == 0 ? 0 : ($T)(a / b);
}
)";
const char* const unsigned_remainder = R"(/* x % 0 is 0. */
static inline $T $N($T a, $T b) {
  return b == 0 ? 0 : ($T)(a % b);
}
)";
const char* const left_shift = R"(/* By any count: 0 beyond the bits. */
static inline $T $N($T a, $T count) {
  return count < 0 || count >= $W ? 0 : ($T)(($U)a << count);
}
)";
const char* const signed_right_shift =
    R"(/* By any count: beyond the bits, only the sign is left. */
static inline $T $N($T a, $T count) {
  if (count < 0 || count >= $W) return a < 0 ? -1 : 0;
  return ($T)(a < 0 ? ~(~a >> count) : a >> count);
}
)";
const char* const unsigned_left_shift = R"(/* By any count: 0 beyond the bits. */
static inline $T $N($T a, $T count) {
  return count >= $W ? 0 : ($T)(a << count);
}
)";
const char* const unsigned_right_shift = R"(/* By any count: 0 beyond the bits. */
static inline $T $N($T a, $T count) {
  return count >= $W ? 0 : ($T)(a >> count);
}
)";
const char* const absolute_value = R"(/* The least number wraps: its absolute value is itself. */
static inline $T $N($T a) {
  return a < 0 ? ($T)(0 - ($U)a) : a;
}
)";
const char* const smaller = R"(static inline $T $N($T a, $T b) {
  return a < b ? a : b;
}
)";
const char* const larger = R"(static inline $T $N($T a, $T b) {
  return a > b ? a : b;
}
)";

std::string definition_of(Op op, bool is_signed) {
  switch (op) {
    case Op::div: return is_signed ? signed_division : unsigned_division;
    case Op::mod: return is_signed ? signed_remainder : unsigned_remainder;
    case Op::shift_left: return is_signed ? left_shift : unsigned_left_shift;
    case Op::shift_right: return is_signed ? signed_right_shift : unsigned_right_shift;
    case Op::abs: return absolute_value;
    case Op::min: return smaller;
    case Op::max: return larger;
    default: throw cannot_generate("no helper of C does " + to_string(op));
  }
}

const char* const half_to_float = R"(/* A float16, of which these are the bits. */
static inline float $N(uint16_t bits) {
  const uint32_t sign = (uint32_t)(bits & 0x8000u) << 16, exponent = bits >> 10 & 31u;
  const uint32_t digits = bits & 1023u;
  float value;
  if (exponent == 0) {
    value = (float)digits * 0x1p-24f;
    return sign ? -value : value;
  }
  const uint32_t word =
      sign | (exponent == 31 ? 255u : exponent + 112u) << 23 | digits << 13;
  memcpy(&value, &word, sizeof value);
  return value;
}
)";
const char* const float_to_half = R"(/* The bits of the nearest float16, of two the even one. */
static inline uint16_t $N(float value) {
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  const uint16_t sign = (uint16_t)(word >> 16 & 0x8000u);
  word &= 0x7fffffffu;
  if (word > 0x7f800000u) return (uint16_t)(sign | 0x7e00u);
  if (word >= 0x47800000u) return (uint16_t)(sign | 0x7c00u);
  if (word < 0x38800000u) {
    float positive;
    memcpy(&positive, &word, sizeof positive);
    const float shifted = positive + 0.5f;
    memcpy(&word, &shifted, sizeof word);
    return (uint16_t)(sign | (word - 0x3f000000u));
  }
  word += 0xfffu + (word >> 13 & 1u);
  return (uint16_t)(sign | ((word - 0x38000000u) >> 13));
}
)";
const char* const brain_to_float = R"(/* A bfloat16, of which these are the bits. */
static inline float $N(uint16_t bits) {
  const uint32_t word = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}
)";
const char* const float_to_brain = R"(/* The bits of the nearest bfloat16, of two the even one. */
static inline uint16_t $N(float value) {
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  if ((word & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(word >> 16 | 0x40u);
  return (uint16_t)((word + 0x7fffu + (word >> 16 & 1u)) >> 16);
}
)";
const char* const odd_double =
    R"(/* Rounded to odd: what is rounded once more is as if rounded once. */
static inline float $N(double wide) {
  float near = (float)wide;
  if ((double)near == wide || wide != wide) return near;
  uint32_t word;
  memcpy(&word, &near, sizeof word);
  if (fabs((double)near) > fabs(wide)) --word;
  word |= 1u;
  memcpy(&near, &word, sizeof near);
  return near;
}
)";
const char* const odd_integer = R"(/* Rounded to odd; of more than 53 bits, the last 11 first. */
static inline float $N($T value) {
  const $T limit = ($T)1 << 53;
  const bool large = value > limit$M;
  const $T kept = large ? (value & ~($T)0x7ff) | ((value & 0x7ff) != 0 ? 0x800 : 0) : value;
  return strata_odd_f64((double)kept);
}
)";
const char* const check =
    R"(/* The index, if it is in [lower, upper); else it is noted, and the lower bound taken. */
static inline int64_t strata_checked(int64_t index, int64_t lower, int64_t upper,
                                     int64_t *noted) {
  if (lower <= index && index < upper) return index;
  *noted = index > STRATA_NOTHING_NOTED ? index : STRATA_NOTHING_NOTED + 1;
  return lower;
}
)";

}  // namespace

std::string Helpers::add(const std::string& name, const std::string& definition) {
  if (definitions_.emplace(name, definition).second) order_.push_back(name);
  return name;
}

std::string Helpers::operation(Op op, Type type) {
  const std::string name = "strata_" + to_string(op) + "_" + suffix(type);
  const bool has_sign = is_float(type) || is_signed_integer(type);
  return add(name, filled(definition_of(op, has_sign), type, name));
}

std::string Helpers::integer_from_float(Type to) {
  const std::string name = "strata_" + suffix(to) + "_from_float";
  const int places = bits(to) - (is_signed_integer(to) ? 1 : 0);
  const std::string type = value_type(to), end = fmt::format("0x1p{}", places);
  const std::string first = is_signed_integer(to) ? "-" + end : "0.0";
  const std::string most = is_signed_integer(to) ? fmt::format("INT{}_MAX", bits(to))
                                                 : fmt::format("UINT{}_MAX", bits(to));
  const std::string least = is_signed_integer(to) ? fmt::format("INT{}_MIN", bits(to)) : "0";
  return add(name,
             fmt::format("/* Truncated; of what has no such integer the nearest, of NaN 0. */\n"
                         "static inline {0} {1}(double value) {{\n"
                         "  if (value != value) return 0;\n"
                         "  if (value >= {2}) return {3};\n"
                         "  return value <= {4} ? {5} : ({0})value;\n}}\n",
                         type, name, end, most, first, least));
}

std::string Helpers::widened(Type half) {
  const std::string name = "strata_float_from_" + suffix(half);
  return add(name, filled(half == Type::float16 ? half_to_float : brain_to_float, half, name));
}

std::string Helpers::narrowed(Type half) {
  const std::string name = "strata_" + suffix(half) + "_from_float";
  return add(name, filled(half == Type::float16 ? float_to_half : float_to_brain, half, name));
}

std::string Helpers::odd_from_double() {
  return add("strata_odd_f64", filled(odd_double, Type::float64, "strata_odd_f64"));
}

std::string Helpers::odd_from_integer(Type integer) {
  odd_from_double();
  const std::string name = "strata_odd_" + suffix(integer);
  std::string text = filled(odd_integer, integer, name);
  const std::string below = is_signed_integer(integer) ? " || value < -limit" : "";
  text.replace(text.find("$M"), 2, below);
  return add(name, text);
}

std::string Helpers::checked() { return add("strata_checked", check); }

std::string Helpers::vector_type(Type type, int count) {
  const std::string name = "strata_" + suffix(type) + "x" + std::to_string(count);
  return add(name, fmt::format("typedef {} {} __attribute__((vector_size({}), aligned({}), "
                               "may_alias));\n",
                               value_type(type), name, count * bytes(type), bytes(type)));
}

// x - 0 is x, also for -0.
std::string Helpers::vector_of(Type type, int count) {
  const std::string vector = vector_type(type, count);
  const std::string name = "strata_all" + vector.substr(vector.find('_'));
  return add(name,
             fmt::format("/* The same value in all lanes. */\n"
                         "static inline {0} {1}({2} value) {{\n  return value - ({0}){{0}};\n}}\n",
                         vector, name, value_type(type)));
}

// a < b ? a : b. In a lane where it holds, a comparison of vectors has all bits set.
std::string Helpers::vector_extremum(Op op, Type type, int count) {
  const std::string vector = vector_type(type, count);
  const std::string name = "strata_" + to_string(op) + vector.substr(vector.find('_'));
  const char* const compared = op == Op::min ? "<" : ">";
  return add(name, fmt::format("static inline {0} {1}({0} a, {0} b) {{\n"
                               "  const __typeof__(a < b) taken = a {2} b;\n"
                               "  return ({0})(((__typeof__(taken))a & taken) | "
                               "((__typeof__(taken))b & ~taken));\n}}\n",
                               vector, name, compared));
}

std::string Helpers::text() const {
  std::string all;
  for (const std::string& name : order_) all += definitions_.at(name) + "\n";
  return all;
}

}  // namespace strata::c
