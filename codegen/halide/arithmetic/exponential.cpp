#include "codegen/halide/arithmetic/exponential.h"

#include "codegen/halide/arithmetic/operations.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;
using hi::Call;

struct Vectors {
  HType type;
  bool fused;

  HExpr number(float value) const { return hi::make_const(type, value); }
  HExpr integer(std::uint32_t value) const {
    return hi::make_const(type.with_code(HType::UInt), value);
  }
  HExpr times(const HExpr& a, const HExpr& b) const { return strict(Call::strict_mul, a, b); }
  HExpr times_plus(const HExpr& a, const HExpr& b, const HExpr& c) const {
    return fused ? fused_multiply_add(a, b, c) : strict(Call::strict_add, times(a, b), c);
  }
};

// Binds "value" to a name around what "body" makes of this name.
template <typename Body>
HExpr with_name(const HExpr& value, Body body) {
  const std::string name = hi::unique_name('t');
  return hi::Let::make(name, value, body(hi::Variable::make(value.type(), name)));
}

// exp(-104) rounds to 0, and exp(89) to infinity. NaN stays: it is not less than any number.
HExpr bounded(const Vectors& v, const HExpr& x) {
  const HExpr least = v.number(-104), most = v.number(89);
  return with_name(select(strict(Call::strict_lt, most, x), most, x), [&](const HExpr& below) {
    return select(strict(Call::strict_lt, below, least), least, below);
  });
}

// Adding it to a number below 2^22 rounds the number to an integer, in the low bits of the sum.
constexpr float rounding = 0x1.8p+23f;

// exp(r) for |r| <= ln(2) / 2, relative error 2^-28: the minimax polynomial with 1 + r as its
// start.
HExpr of_small(const Vectors& v, const HExpr& r) {
  HExpr sum = v.number(0x1.6a23dp-10f);
  for (const float c : {0x1.123a2p-7f, 0x1.5558f2p-5f, 0x1.555492p-3f, 0x1.fffffcp-2f, 1.0f, 1.0f})
    sum = v.times_plus(sum, r, v.number(c));
  return sum;
}

// 2^k for -126 <= k <= 127
HExpr power_of_two(const Vectors& v, const HExpr& k) {
  return float_of_bits((k + v.integer(127)) << v.integer(23));
}

// y 2^k for y near 1. It is rounded once, also where the result is subnormal: y 2^(k / 2) is
// normal.
HExpr scaled(const Vectors& v, const HExpr& y, const HExpr& k) {
  const HExpr as_signed = Halide::reinterpret(k.type().with_code(HType::Int), k);
  const HExpr half = Halide::reinterpret(k.type(), as_signed >> v.integer(1));
  return with_name(half, [&](const HExpr& h) {
    return v.times(v.times(y, power_of_two(v, h)), power_of_two(v, k - h));
  });
}

// exp(x) = 2^k exp(r) for x = k ln(2) + r (Cody and Waite, Software Manual for the Elementary
// Functions, 1980, chapter 6). ln(2) is the sum of a number with few bits, whose product with k is
// exact, and of a small one.
HExpr reduced(const Vectors& v, const HExpr& x) {
  const HExpr sum = v.times_plus(x, v.number(0x1.715476p+0f), v.number(rounding));
  return with_name(sum, [&](const HExpr& s) {
    const HExpr n = strict(Call::strict_sub, s, v.number(rounding));
    const HExpr part = v.times_plus(n, v.number(-0.693359375f), x);
    const HExpr rest = v.times_plus(n, v.number(2.12194440e-4f), part);
    const HExpr k = bits_of(s) - bits_of(v.number(rounding));
    return with_name(rest, [&](const HExpr& r) { return scaled(v, of_small(v, r), k); });
  });
}

}  // namespace

HExpr exponential(const HExpr& x, bool fused) {
  const Vectors v{x.type(), fused};
  return with_name(x, [&](const HExpr& any) {
    return with_name(bounded(v, any), [&](const HExpr& inside) { return reduced(v, inside); });
  });
}

}  // namespace strata::halide
