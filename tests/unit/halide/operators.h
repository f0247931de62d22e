// A kernel that computes many expressions of the same operands, vectorized or scalar.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "tests/unit/entry/kernels.h"

namespace strata::test {

// The loop over i in [0, N), vectorized if "lanes" exceeds 1.
inline StmtPtr over_elements(int lanes, const StmtPtr& body) {
  if (lanes == 1) return loop("i", n(0), p("N"), body);
  return loop("t", n(0), p("N") / n(lanes),
              steps("i", v("t") * n(lanes), lanes, body, Processor::vector));
}

// out[k, i] = results[k], over the operands a[i] and b[i].
inline Kernel operators_kernel(Type operand, Type result, const std::vector<Expr>& results,
                               int lanes, Floats mode = Floats::exact) {
  std::vector<StmtPtr> stores;
  for (std::size_t k = 0; k < results.size(); ++k)
    stores.push_back(store("out", {n(std::int64_t(k)), v("i")}, results[k]));
  return kernel(
      "operators", {"N"},
      {argument("a", operand, Access::read, {p("N")}),
       argument("b", operand, Access::read, {p("N")}),
       argument("out", result, Access::written, {n(std::int64_t(results.size())), p("N")})},
      over_elements(lanes, block(stores)), mode);
}

inline Expr operand_a(Type type) { return load("a", type, {v("i")}); }
inline Expr operand_b(Type type) { return load("b", type, {v("i")}); }

// Every pair of edge values and some random pairs, padded to a multiple of 64.
template <typename T>
struct OperandPairs {
  OperandPairs(const std::vector<T>& edges, const std::function<T(std::mt19937_64&)>& random)
      : a({count(edges)}), b({count(edges)}) {
    std::mt19937_64 generator(7);
    std::int64_t i = 0;
    for (const T& x : edges)
      for (const T& y : edges) {
        a(i) = x;
        b(i++) = y;
      }
    for (; i < a.extent(0); ++i) {
      a(i) = random(generator);
      b(i) = random(generator);
    }
  }
  static std::int64_t count(const std::vector<T>& edges) {
    const auto pairs = static_cast<std::int64_t>(edges.size() * edges.size());
    return (pairs + 512 + 63) / 64 * 64;
  }
  Array<T> a, b;
};

// The kernel's type for the element type.
template <typename T>
Type type_of() {
  if constexpr (std::same_as<T, bool>)
    return boolean;
  else if constexpr (std::same_as<T, float>)
    return f32;
  else if constexpr (std::same_as<T, double>)
    return f64;
  else if constexpr (std::same_as<T, Float16>)
    return f16;
  else if constexpr (std::same_as<T, BFloat16>)
    return bf16;
  else if constexpr (std::signed_integral<T>)
    return sizeof(T) == 1 ? i8 : sizeof(T) == 2 ? i16 : sizeof(T) == 4 ? i32 : i64;
  else
    return sizeof(T) == 1 ? u8 : sizeof(T) == 2 ? u16 : sizeof(T) == 4 ? u32 : u64;
}

// The same bits, or both NaN.
template <typename T>
bool identical(T x, T y) {
  if constexpr (std::floating_point<T>)
    if (std::isnan(x) && std::isnan(y)) return true;
  return std::memcmp(&x, &y, sizeof(T)) == 0;
}

}  // namespace strata::test
