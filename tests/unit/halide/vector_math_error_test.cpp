// The error of the runtime's vector functions over the whole range, against the C library's
// functions in a wider type: double for float, long double (64 bits of significand) for double.
#include <catch2/catch.hpp>

#include <cfloat>
#include <string>

#include "tests/unit/halide/operators.h"

extern "C" {
#include "runtime/vector_math.h"
}

#ifdef __x86_64__

namespace strata::test::vector_math_error_test {

namespace {

template <typename T>
using Wider = std::conditional_t<std::same_as<T, float>, double, long double>;
template <typename T>
using Bits = std::conditional_t<std::same_as<T, float>, std::uint32_t, std::uint64_t>;

template <typename T>
struct Unary {
  std::string name;
  T* (*on_vectors)(T*, int);
  Wider<T> (*reference)(Wider<T>);
};
template <typename T>
struct Binary {
  std::string name;
  T* (*on_vectors)(T*, const T*, int);
  Wider<T> (*reference)(Wider<T>, Wider<T>);
};

#define STRATA_SETS(name)                  \
  if (__builtin_cpu_supports("avx512f")) { \
    STRATA_SET(avx512, name)               \
  }                                        \
  if (__builtin_cpu_supports("avx2")) {    \
    STRATA_SET(avx2, name)                 \
  }                                        \
  STRATA_SET(sse2, name)
#define STRATA_SET(set, name)                                               \
  if constexpr (std::same_as<T, float>)                                     \
    all.push_back({#set " " #name, &strata_##set##_##name##f, &std::name}); \
  else                                                                      \
    all.push_back({#set " " #name, &strata_##set##_##name, &std::name});

template <typename T>
std::vector<Unary<T>> unary_functions() {
  std::vector<Unary<T>> all;
#define STRATA_UNARY(name) STRATA_SETS(name)
#define STRATA_BINARY(name)
#include "runtime/math_functions.inc"
#undef STRATA_UNARY
#undef STRATA_BINARY
  return all;
}

template <typename T>
std::vector<Binary<T>> binary_functions() {
  std::vector<Binary<T>> all;
#define STRATA_UNARY(name)
#define STRATA_BINARY(name) STRATA_SETS(name)
#include "runtime/math_functions.inc"
#undef STRATA_UNARY
#undef STRATA_BINARY
  return all;
}

constexpr double bound = 4;

// |found - exact| in units in the last place of "exact" as a T, where all numbers that a T cannot
// hold, and infinity, count as 2^(emax + 1). Infinite if one alone is NaN, if a number is found for
// infinity, or if a zero has the wrong sign.
template <typename T>
double error_in_ulp(T found, Wider<T> exact) {
  using Limits = std::numeric_limits<T>;
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) && std::isnan(found) ? 0 : wrong;
  if (std::isinf(exact)) return found == exact ? 0 : wrong;
  if ((found == 0 || exact == 0) && std::signbit(found) != std::signbit(exact)) return wrong;
  const Wider<T> most = std::ldexp(Wider<T>(1), Limits::max_exponent);
  const Wider<T> error = std::clamp<Wider<T>>(found, -most, most) - std::clamp(exact, -most, most);
  int exponent = Limits::min_exponent;
  if (exact != 0) std::frexp(exact, &exponent);
  exponent = std::clamp(exponent, Limits::min_exponent, Limits::max_exponent);
  return double(std::ldexp(std::fabs(error), Limits::digits - exponent));
}

// Numbers of every sign and exponent, with the least, the greatest and some random significands:
// zeros, subnormals, infinities and NaN are among them. The rest is between 2^-12 and 2^12.
template <typename T>
std::vector<T> numbers(std::size_t moderate) {
  constexpr int fraction = std::numeric_limits<T>::digits - 1, width = int(sizeof(T)) * 8;
  const Bits<T> mask = (Bits<T>(1) << fraction) - 1, quiet = Bits<T>(1) << (fraction - 1);
  std::mt19937_64 random(11);
  std::vector<T> all;
  for (Bits<T> high = 0; high < Bits<T>(1) << (width - fraction); ++high) {
    std::vector<Bits<T>> low{0, 1, mask};
    for (int n = 0; n < 13; ++n) low.push_back(Bits<T>(random()) & mask);
    for (const Bits<T> bits : low) {
      const T x = std::bit_cast<T>(Bits<T>(high << fraction | bits));
      all.push_back(std::isnan(x) ? std::bit_cast<T>(Bits<T>(high << fraction | bits | quiet)) : x);
    }
  }
  for (std::size_t n = 0; n < moderate; ++n) {
    const T x =
        std::ldexp(T(1) + T(random() >> 11) / T(std::uint64_t{1} << 53), int(random() % 25) - 12);
    all.push_back(random() % 2 ? x : -x);
  }
  while (all.size() % 16) all.push_back(T(1));
  return all;
}

template <typename T>
void check_unary() {
  const std::vector<T> x = numbers<T>(100'000);
  for (const Unary<T>& f : unary_functions<T>()) {
    std::vector<T> y = x;
    REQUIRE(f.on_vectors(y.data(), int(y.size())) == y.data());
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (const double error = error_in_ulp<T>(y[i], f.reference(x[i])); error > worst) {
        worst = error;
        at = i;
      }
    INFO(f.name << "(" << x[at] << ") is " << y[at]);
    CHECK(worst <= bound);
    CHECK(worst > 0.4);  // not the reference itself
  }
}

template <typename T>
void check_binary() {
  const std::vector<T> some = numbers<T>(100'000);
  std::mt19937_64 random(12);
  std::vector<T> a, b;
  const auto add = [&](T x, T y) {
    a.push_back(x);
    b.push_back(y);
  };
  std::vector<T> edges{T(0), T(0.5), T(1), T(2), T(2.5), T(3), T(16777217)};
  using Limits = std::numeric_limits<T>;
  for (const T x : {Limits::infinity(), Limits::max(), Limits::min(), Limits::denorm_min()})
    edges.push_back(x);
  for (std::size_t n = edges.size(); n > 0; --n) edges.push_back(-edges[n - 1]);
  edges.push_back(Limits::quiet_NaN());
  for (const T x : edges)
    for (const T y : edges) add(x, y);
  for (int n = 0; n < 100'000; ++n) add(some[random() % some.size()], some[random() % some.size()]);
  // Powers of numbers near 1, whose result is not 0, 1 or infinity.
  for (int n = 0; n < 100'000; ++n) {
    const T near = T(0.25) + T(random() % 1000) / 300;
    add(near, some[some.size() - 16 - random() % 100'000] / 64);
  }
  while (a.size() % 16) add(1, 1);
  for (const Binary<T>& f : binary_functions<T>()) {
    std::vector<T> found = a;
    REQUIRE(f.on_vectors(found.data(), b.data(), int(found.size())) == found.data());
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (const double error = error_in_ulp<T>(found[i], f.reference(a[i], b[i])); error > worst) {
        worst = error;
        at = i;
      }
    INFO(f.name << "(" << a[at] << ", " << b[at] << ") is " << found[at]);
    CHECK(worst <= bound);
  }
}

// Each number alone in its vector, at each place, gives the same as among others.
template <typename T>
void check_places() {
  std::vector<T> x = numbers<T>(64);
  std::shuffle(x.begin(), x.end(), std::mt19937_64(13));
  x.resize(1600);
  for (const Unary<T>& f : unary_functions<T>()) {
    std::vector<T> among = x;
    int places = 0;
    f.on_vectors(among.data(), int(among.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      std::vector<T> alone(16, x[i]),
          moved(x.begin() + (i / 16) * 16, x.begin() + (i / 16 + 1) * 16);
      f.on_vectors(alone.data(), 16);
      std::rotate(moved.begin(), moved.begin() + i % 7, moved.end());
      f.on_vectors(moved.data(), 16);
      std::rotate(moved.begin(), moved.end() - i % 7, moved.end());
      places += !identical(alone[i % 16], among[i]) || !identical(moved[i % 16], among[i]);
    }
    INFO(f.name);
    CHECK(places == 0);
  }
}

}  // namespace

static_assert(LDBL_MANT_DIG == 64);

TEST_CASE("vector functions of float are within 4 ulp, special values included", "[vector_math]") {
  check_unary<float>();
  check_binary<float>();
}

TEST_CASE("vector functions of double are within 4 ulp, special values included", "[vector_math]") {
  check_unary<double>();
  check_binary<double>();
}

TEST_CASE("a vector function gives an element the same value in every place", "[vector_math]") {
  check_places<float>();
  check_places<double>();
}

}  // namespace strata::test::vector_math_error_test

#endif
