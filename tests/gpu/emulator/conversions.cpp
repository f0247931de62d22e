#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "tests/gpu/emulator/steps.h"
#include "tests/gpu/emulator/thread.h"
#include "tests/gpu/emulator/typed.h"

namespace strata::emulator {

namespace {

template <typename T>
T to_nearest(T x) {
  return std::nearbyint(x);
}
template <typename T>
T down(T x) {
  return std::floor(x);
}
template <typename T>
T up(T x) {
  return std::ceil(x);
}
template <typename T>
T towards_zero(T x) {
  return std::trunc(x);
}

// A float to an integer: saturated; NaN gives 0.
template <typename To, typename From>
To saturated(From x) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(x)) return 0;
  if (x >= std::ldexp(From(1), Limits::digits)) return Limits::max();
  return x < From(Limits::min()) ? Limits::min() : To(x);
}

template <typename To, typename From>
void converted(Thread& t, const Instruction& i) {
  t.set<To>(i.at[0], To(t.get<From>(i.at[1])));
}
template <typename To, typename From, From (*rounded)(From)>
void rounded_to(Thread& t, const Instruction& i) {
  const From whole = rounded(t.get<From>(i.at[1]));
  if constexpr (std::is_integral_v<To>)
    t.set<To>(i.at[0], saturated<To>(whole));
  else
    t.set<To>(i.at[0], To(whole));
}

// To nearest in 10 bits of fraction, ties away from zero.
void to_tf32(Thread& t, const Instruction& i) {
  t.set(i.at[0], std::uint32_t((t.get<std::uint32_t>(i.at[1]) + 0x1000) & ~0x1fffu));
}

// Subnormal numbers are flushed before they are rounded.
template <float (*rounded)(float)>
float flushed_first(float x) {
  return rounded(std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x);
}
template <typename To>
Step flushing_step(const std::string& how) {
  if (how == "rni") return &rounded_to<To, float, flushed_first<to_nearest<float>>>;
  if (how == "rmi") return &rounded_to<To, float, flushed_first<down<float>>>;
  if (how == "rpi") return &rounded_to<To, float, flushed_first<up<float>>>;
  if (how == "rzi") return &rounded_to<To, float, flushed_first<towards_zero<float>>>;
  return nullptr;
}

template <typename To, typename From>
Step rounding_step(const std::string& how, bool flushes) {
  if constexpr (std::is_same_v<From, float>)
    if (flushes) return flushing_step<To>(how);
  if (how == "rni") return &rounded_to<To, From, to_nearest<From>>;
  if (how == "rmi") return &rounded_to<To, From, down<From>>;
  if (how == "rpi") return &rounded_to<To, From, up<From>>;
  if (how == "rzi") return &rounded_to<To, From, towards_zero<From>>;
  return nullptr;
}

// cvt.HOW.TO.FROM; between floats of other sizes, and from integers, to nearest alone.
template <typename To, typename From>
Step conversion(const std::string& how, bool flushes) {
  constexpr bool from_float = std::is_floating_point_v<From>,
                 to_float = std::is_floating_point_v<To>;
  if constexpr (from_float && (!to_float || std::is_same_v<To, From>)) {
    return rounding_step<To, From>(how, flushes);
  } else {
    const bool exact = !to_float || (from_float && sizeof(To) > sizeof(From));
    return how == (exact ? "" : "rn") ? &converted<To, From> : nullptr;
  }
}

}  // namespace

Step conversion_step(const Parts& parts) {
  if (parts == Parts{"cvt", "rna", "tf32", "f32"}) return &to_tf32;
  if (has_part(parts, "sat") || parts.size() < 3) return nullptr;
  const bool flushes = has_part(parts, "ftz");
  const std::string how = parts.size() > 3 ? parts[1] : "", &to = parts[parts.size() - 2],
                    &from = parts.back();
  return for_number(to, [&]<typename To>() -> Step {
    return for_number(from,
                      [&]<typename From>() -> Step { return conversion<To, From>(how, flushes); });
  });
}

}  // namespace strata::emulator
