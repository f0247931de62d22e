#include <bit>
#include <cmath>
#include <type_traits>

#include "tests/gpu/emulator/steps.h"
#include "tests/gpu/emulator/thread.h"
#include "tests/gpu/emulator/typed.h"

// Compiled with integers that wrap, and without joined operations.
namespace strata::emulator {

namespace {

template <typename T>
constexpr int width = 8 * sizeof(T);

// Operators on values of one type.
constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto sub = [](auto a, auto b) { return a - b; };
constexpr auto mul = [](auto a, auto b) { return a * b; };
constexpr auto quotient = [](auto a, auto b) {
  if constexpr (std::is_integral_v<decltype(b)>)
    if (b == 0) throw Fault("a division by zero");
  return a / b;
};
constexpr auto rest = [](auto a, auto b) {
  if (b == 0) throw Fault("a division by zero");
  return a % b;
};
constexpr auto least = [](auto a, auto b) { return b < a ? b : a; };
constexpr auto greatest = [](auto a, auto b) { return a < b ? b : a; };
// Of a number and NaN, the number; -0 is less than 0.
constexpr auto float_least = [](auto a, auto b) {
  return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
};
constexpr auto float_greatest = [](auto a, auto b) {
  return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b);
};
constexpr auto both = [](auto a, auto b) { return a & b; };
constexpr auto either = [](auto a, auto b) { return a | b; };
constexpr auto differing = [](auto a, auto b) { return a ^ b; };
constexpr auto negated = [](auto a) { return -a; };
constexpr auto inverted = [](auto a) { return ~a; };
constexpr auto magnitude = [](auto a) { return a < 0 ? -a : a; };
constexpr auto float_magnitude = [](auto a) { return std::fabs(a); };
constexpr auto mad = [](auto a, auto b, auto c) { return a * b + c; };
constexpr auto fused = [](auto a, auto b, auto c) { return std::fma(a, b, c); };

float flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

template <typename T, auto f>
void unary(Thread& t, const Instruction& i) {
  t.set<T>(i.at[0], T(f(t.get<T>(i.at[1]))));
}
template <typename T, auto f>
void binary(Thread& t, const Instruction& i) {
  t.set<T>(i.at[0], T(f(t.get<T>(i.at[1]), t.get<T>(i.at[2]))));
}
template <typename T, auto f>
void ternary(Thread& t, const Instruction& i) {
  t.set<T>(i.at[0], T(f(t.get<T>(i.at[1]), t.get<T>(i.at[2]), t.get<T>(i.at[3]))));
}

template <auto f>
constexpr auto flushing = [](auto... x) { return flushed(float(f(flushed(x)...))); };

template <auto f>
Step unary_of_float(const Parts& parts) {
  if (has_part(parts, "ftz")) return &unary<float, flushing<f>>;
  return for_float(parts.back(), []<typename T>() -> Step { return &unary<T, f>; });
}
template <auto f>
Step binary_of_float(const Parts& parts) {
  if (has_part(parts, "ftz")) return &binary<float, flushing<f>>;
  return for_float(parts.back(), []<typename T>() -> Step { return &binary<T, f>; });
}
template <auto f>
Step binary_of_integer(const Parts& parts) {
  if (parts.back() == "pred") return &binary<std::uint8_t, f>;
  return for_integer(parts.back(), []<typename T>() -> Step { return &binary<T, f>; });
}
template <auto real, auto whole = real>
Step binary_of_number(const Parts& parts) {
  const Step step = binary_of_float<real>(parts);
  return step ? step : binary_of_integer<whole>(parts);
}
template <auto real, auto whole>
Step unary_of_number(const Parts& parts) {
  const Step step = unary_of_float<real>(parts);
  return step ? step
              : for_integer(parts.back(), []<typename T>() -> Step { return &unary<T, whole>; });
}

// ---- products of integers ----

template <typename T>
using Twice = std::conditional_t<
    width<T> == 16, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
    std::conditional_t<width<T> == 32,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

template <typename T>
Twice<T> whole_product(Thread& t, const Instruction& i) {
  return Twice<T>(t.get<T>(i.at[1])) * Twice<T>(t.get<T>(i.at[2]));
}
template <typename T>
void product_high(Thread& t, const Instruction& i) {
  t.set<T>(i.at[0], T(whole_product<T>(t, i) >> width<T>));
}
template <typename T>
void product_wide(Thread& t, const Instruction& i) {
  t.set<Twice<T>>(i.at[0], whole_product<T>(t, i));
}
template <typename T>
void mad_wide(Thread& t, const Instruction& i) {
  t.set<Twice<T>>(i.at[0], whole_product<T>(t, i) + t.get<Twice<T>>(i.at[3]));
}

Step product_step(const Parts& parts, bool with_sum) {
  if (has_part(parts, "hi") && !with_sum)
    return for_integer(parts.back(), []<typename T>() -> Step { return &product_high<T>; });
  if (!has_part(parts, "wide")) return nullptr;
  return for_integer(parts.back(), [&]<typename T>() -> Step {
    if constexpr (sizeof(T) != 2 && sizeof(T) != 4)
      return nullptr;
    else
      return with_sum ? &mad_wide<T> : &product_wide<T>;
  });
}

// ---- shifts and bits ----

template <typename T>
void shift_left(Thread& t, const Instruction& i) {
  const auto by = t.get<std::uint32_t>(i.at[2]);
  t.set<T>(i.at[0], by >= width<T> ? T(0) : T(t.get<T>(i.at[1]) << by));
}
template <typename T>
void shift_right(Thread& t, const Instruction& i) {
  const auto by = t.get<std::uint32_t>(i.at[2]);
  const T value = t.get<T>(i.at[1]);
  t.set<T>(i.at[0], by < width<T> ? T(value >> by) : T(value < 0 ? -1 : 0));
}
template <typename T>
void bit_field(Thread& t, const Instruction& i) {
  const std::uint32_t from = t.get<std::uint32_t>(i.at[2]) & 255,
                      bits = t.get<std::uint32_t>(i.at[3]) & 255;
  T value = from >= width<T> ? T(0) : T(std::make_unsigned_t<T>(t.get<T>(i.at[1])) >> from);
  if (bits < width<T>) value = T(value & ((T(1) << bits) - 1));
  if (std::is_signed_v<T> && bits > 0 && bits < width<T> && (value >> (bits - 1) & 1))
    value = T(value | (T(-1) << bits));
  t.set<T>(i.at[0], value);
}
// Each of 4 bytes is one of the 8 of two registers, or its sign.
void permuted(Thread& t, const Instruction& i) {
  const std::uint64_t bytes =
      t.get<std::uint32_t>(i.at[1]) | std::uint64_t(t.get<std::uint32_t>(i.at[2])) << 32;
  const auto chosen = t.get<std::uint32_t>(i.at[3]);
  std::uint32_t result = 0;
  for (int n = 0; n < 4; ++n) {
    const std::uint32_t nibble = chosen >> (4 * n) & 15;
    std::uint32_t byte = std::uint32_t(bytes >> (8 * (nibble & 7))) & 255;
    if (nibble & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * n);
  }
  t.set(i.at[0], result);
}
template <bool left>
void funnel(Thread& t, const Instruction& i) {
  const std::uint64_t both_words =
      t.get<std::uint32_t>(i.at[1]) | std::uint64_t(t.get<std::uint32_t>(i.at[2])) << 32;
  const std::uint32_t by = t.get<std::uint32_t>(i.at[3]) & 31;
  t.set(i.at[0], std::uint32_t(left ? both_words << by >> 32 : both_words >> by));
}

// ---- comparisons ----

template <typename T, auto f>
void compared(Thread& t, const Instruction& i) {
  t.set<bool>(i.at[0], f(t.get<T>(i.at[1]), t.get<T>(i.at[2])));
}
template <auto f>
Step comparison_of(const std::string& type) {
  return for_number(type, []<typename T>() -> Step { return &compared<T, f>; });
}

constexpr auto equal = [](auto a, auto b) { return a == b; };
constexpr auto unequal = [](auto a, auto b) { return a < b || b < a; };
constexpr auto less = [](auto a, auto b) { return a < b; };
constexpr auto less_equal = [](auto a, auto b) { return a <= b; };
constexpr auto greater = [](auto a, auto b) { return b < a; };
constexpr auto greater_equal = [](auto a, auto b) { return b <= a; };
constexpr auto ordered = [](auto a, auto b) { return a == a && b == b; };

template <auto f>
constexpr auto opposite = [](auto a, auto b) { return !f(a, b); };

// With "u" at the end, a comparison of floats is true for NaN.
Step comparison_step(const Parts& parts) {
  const std::string &how = parts[1], &type = parts.back();
  if (parts.size() != 3) return nullptr;
  if (how == "eq") return comparison_of<equal>(type);
  if (how == "ne") return comparison_of<unequal>(type);
  if (how == "lt") return comparison_of<less>(type);
  if (how == "le") return comparison_of<less_equal>(type);
  if (how == "gt") return comparison_of<greater>(type);
  if (how == "ge") return comparison_of<greater_equal>(type);
  if (how == "num") return comparison_of<ordered>(type);
  if (how == "equ") return comparison_of<opposite<unequal>>(type);
  if (how == "neu") return comparison_of<opposite<equal>>(type);
  if (how == "ltu") return comparison_of<opposite<greater_equal>>(type);
  if (how == "leu") return comparison_of<opposite<greater>>(type);
  if (how == "gtu") return comparison_of<opposite<less_equal>>(type);
  if (how == "geu") return comparison_of<opposite<less>>(type);
  if (how == "nan") return comparison_of<opposite<ordered>>(type);
  return nullptr;
}

// The lowest bit of a predicate counts: "true" may be -1.
bool is_true(const Thread& t, std::uint32_t slot) { return (t.registers[slot] & 1) != 0; }

void selected(Thread& t, const Instruction& i) {
  t.registers[i.at[0]] = t.registers[i.at[is_true(t, i.at[3]) ? 1 : 2]];
}
void moved(Thread& t, const Instruction& i) { t.registers[i.at[0]] = t.registers[i.at[1]]; }
void truth_inverted(Thread& t, const Instruction& i) { t.set<bool>(i.at[0], !is_true(t, i.at[1])); }

constexpr auto power_of_two = [](auto x) { return std::exp2(x); };
constexpr auto logarithm = [](auto x) { return std::log2(x); };
constexpr auto sine = [](auto x) { return std::sin(x); };
constexpr auto cosine = [](auto x) { return std::cos(x); };
constexpr auto hyperbolic = [](auto x) { return std::tanh(x); };
constexpr auto root = [](auto x) { return std::sqrt(x); };
constexpr auto reciprocal = [](auto x) { return 1 / x; };
constexpr auto reciprocal_root = [](auto x) { return 1 / std::sqrt(x); };
constexpr auto with_sign_of = [](auto sign, auto x) { return std::copysign(x, sign); };

// mov between a register and its parts, the low one first.
void packed(Thread& t, const Instruction& i) {
  std::uint64_t all = 0;
  for (int n = i.count; n > 0; --n) {
    std::uint64_t part = 0;
    std::memcpy(&part, &t.registers[i.at[std::size_t(n)]], std::size_t(i.bytes));
    all = all << (8 * i.bytes) | part;
  }
  t.registers[i.at[0]] = all;
}
void unpacked(Thread& t, const Instruction& i) {
  std::uint64_t rest = t.registers[i.at[std::size_t(i.count)]];
  for (int n = 0; n < i.count; ++n, rest >>= 8 * i.bytes) {
    std::uint64_t& part = t.registers[i.at[std::size_t(n)]];
    part = 0;
    std::memcpy(&part, &rest, std::size_t(i.bytes));
  }
}

// Approximations that a GPU makes with errors are made without.
Step function_step(const Parts& parts) {
  const std::string& name = parts[0];
  if (name == "ex2") return unary_of_float<power_of_two>(parts);
  if (name == "lg2") return unary_of_float<logarithm>(parts);
  if (name == "sin") return unary_of_float<sine>(parts);
  if (name == "cos") return unary_of_float<cosine>(parts);
  if (name == "tanh") return unary_of_float<hyperbolic>(parts);
  if (name == "sqrt") return unary_of_float<root>(parts);
  if (name == "rcp") return unary_of_float<reciprocal>(parts);
  if (name == "rsqrt") return unary_of_float<reciprocal_root>(parts);
  if (name == "copysign") return binary_of_float<with_sign_of>(parts);
  return nullptr;
}

Step bit_step(const Parts& parts) {
  const std::string &name = parts[0], &type = parts.back();
  if (name == "and") return binary_of_integer<both>(parts);
  if (name == "or") return binary_of_integer<either>(parts);
  if (name == "xor") return binary_of_integer<differing>(parts);
  if (name == "not" && type == "pred") return &truth_inverted;
  if (name == "not")
    return for_integer(type, []<typename T>() -> Step { return &unary<T, inverted>; });
  if (name == "shl") return for_integer(type, []<typename T>() -> Step { return &shift_left<T>; });
  if (name == "shr") return for_integer(type, []<typename T>() -> Step { return &shift_right<T>; });
  if (name == "bfe") return for_integer(type, []<typename T>() -> Step { return &bit_field<T>; });
  if (name == "prmt" && parts.size() == 2) return &permuted;
  if (name == "shf" && has_part(parts, "wrap"))
    return has_part(parts, "l") ? &funnel<true> : &funnel<false>;
  return nullptr;
}

}  // namespace

Step arithmetic_step(const Parts& parts) {
  const std::string& name = parts[0];
  const bool in_parts = has_part(parts, "hi") || has_part(parts, "wide");
  if (name == "mul" && in_parts) return product_step(parts, false);
  if (name == "mad" && in_parts) return product_step(parts, true);
  if (has_part(parts, "sat") || has_part(parts, "cc")) return nullptr;
  if (name == "add") return binary_of_number<add>(parts);
  if (name == "sub") return binary_of_number<sub>(parts);
  if (name == "mul") return binary_of_number<mul>(parts);
  if (name == "div") return binary_of_number<quotient>(parts);
  if (name == "rem") return binary_of_integer<rest>(parts);
  if (name == "min") return binary_of_number<float_least, least>(parts);
  if (name == "max") return binary_of_number<float_greatest, greatest>(parts);
  if (name == "neg") return unary_of_number<negated, negated>(parts);
  if (name == "abs") return unary_of_number<float_magnitude, magnitude>(parts);
  if (name == "mad")
    return for_integer(parts.back(), []<typename T>() -> Step { return &ternary<T, mad>; });
  if (name == "fma" && has_part(parts, "ftz")) return &ternary<float, flushing<fused>>;
  if (name == "fma")
    return for_float(parts.back(), []<typename T>() -> Step { return &ternary<T, fused>; });
  if (name == "setp") return comparison_step(parts);
  if (name == "selp") return &selected;
  if (parts == Parts{"mov", "pack"}) return &packed;
  if (parts == Parts{"mov", "unpack"}) return &unpacked;
  if (name == "mov" || name == "cvta") return &moved;
  if (const Step step = bit_step(parts)) return step;
  return function_step(parts);
}

}  // namespace strata::emulator
