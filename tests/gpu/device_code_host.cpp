// gpu_device_code_host: calls the kernels of device_code_generator.cpp on the GPU at hand and
// compares with plain loops, exact floats bit for bit. Compiled without joined operations.
#include <strata/buffer.h>
#include <strata/runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "atomics.h"
#include "exact_double.h"
#include "exact_float.h"
#include "fast_float.h"
#include "functions.h"
#include "gather.h"
#include "pair.h"
#include "softmax.h"
#include "starts.h"
#include "tests/gpu/wrong.h"
#include "vector_operations.h"
#include "vectors.h"
#include "vectors_any.h"
#include "warps.h"
#include "weights.h"

namespace {

using strata::Array;
using Size = std::int64_t;

template <typename Kernel>
void test_vectors(const char* name, const Kernel& kernel, Size n, Size m) {
  Array<float> in({n, m}), out({n, m});
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) in(i, j) = float((i * 31 + j * 7) % 100) / 8, out(i, j) = -5;
  require(kernel(n, m, in, out) == 0, named(name, n, m));
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j)
      if (out(i, j) != in(i, j) * 2 + 1) return require(false, named(name, n, m) + ": values");
}

void test_vector_operations(Size n, Size m) {
  const std::string name = named("vector_operations", n, m);
  Array<std::int32_t> in({n, 2 * m}), pairs({n, m}), sizes({n, m}), even({n, m});
  Array<double> real({n, m}), back({n, m});
  Array<std::uint8_t> narrow({n, m}), bytes({n, m});
  for (std::int32_t& x : in) x = std::int32_t(&x - in.data()) * 7 % 101 - 50;
  for (double& x : real) x = double(&x - real.data()) / 3;
  for (std::uint8_t& x : narrow) x = std::uint8_t(&x - narrow.data());
  require(vector_operations(n, m, in, real, narrow, pairs, sizes, even, back, bytes) == 0, name);
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) {
      require(pairs(i, j) == in(i, 2 * j) + 3 * in(i, 2 * j + 1), name + ": pairs");
      require(sizes(i, j) == std::abs(in(i, j)), name + ": sizes");
      require(even(i, j) == (j % 2 == 0 ? in(i, j + 1) : 0) + j, name + ": even");
      require(back(i, j) == real(i, m - 1 - j) / 2, name + ": back");
      require(bytes(i, j) == std::uint8_t(narrow(i, j) * 3), name + ": bytes");
    }
}

// Columns of a larger array, also backwards and transposed: what lies beside them stays.
void test_strides() {
  const Size n = 19, m = 24, row = 30, column = 40;
  const Size strides[4][3] = {
      {row, 1, 0}, {row, -1, m - 1}, {1, column, 0}, {-row, 1, (n - 1) * row}};
  for (const auto& [by_row, by_column, first] : strides) {
    Array<float> in({column * row}), out({column * row});
    for (float& x : in) x = float(&x - in.data());
    for (float& x : out) x = -1;
    const Size extents[2] = {n, m};
    strata_dimension dimensions[2][2];
    strata_buffer a, b;
    strata_buffer_init(&a, strata_float(32), in.data() + first, 2, dimensions[0], extents);
    strata_buffer_init(&b, strata_float(32), out.data() + first, 2, dimensions[1], extents);
    for (strata_dimension* d : {a.dim, b.dim}) {
      d[0].stride = std::int32_t(by_column);
      d[1].stride = std::int32_t(by_row);
    }
    const std::string name =
        "vectors with strides " + std::to_string(by_row) + ", " + std::to_string(by_column);
    require(vectors(n, m, strata_argument(&a), strata_argument(&b)) == 0, name);
    Array<float> expected({column * row});
    for (float& x : expected) x = -1;
    for (Size i = 0; i < n; ++i)
      for (Size j = 0; j < m; ++j) {
        const Size at = first + i * by_row + j * by_column;
        expected(at) = in(at) * 2 + 1;
      }
    bool right = true;
    for (Size at = 0; at < column * row; ++at) right = right && out(at) == expected(at);
    require(right, name + ": values");
  }
}

template <typename Real>
bool same_bits(Real a, Real b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

// Numbers of all sizes, and those between which rounding is hardest.
template <typename Real>
void fill(Array<Real>& x, std::uint64_t seed) {
  using Limits = std::numeric_limits<Real>;
  const Real special[] = {Real(0),          -Real(0),         Limits::infinity(),  Limits::max(),
                          Limits::lowest(), Limits::min(),    Limits::epsilon(),   Real(1),
                          Real(-2.5),       Real(0.49999997), Limits::denorm_min()};
  std::uint64_t state = seed;
  Size n = 0;
  for (Real& value : x) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const Real mantissa = Real(state >> 11) / Real(std::uint64_t{1} << 53);
    value = std::ldexp(mantissa - Real(0.5), int(state >> 33) % 40 - 20);
    if (n++ % 13 == 0) value = special[std::size_t(state >> 40) % std::size(special)];
  }
}

template <typename Real, typename Kernel>
void test_floats(const char* name, const Kernel& kernel, Real tolerance) {
  const Size n = 5000;
  Array<Real> a({n}), b({n}), c({n}), sums({n}), differences({n}), quotients({n}), roots({n}),
      rounds({n});
  fill(a, 1);
  fill(b, 2);
  fill(c, 3);
  require(kernel(n, a, b, c, sums, differences, quotients, roots, rounds) == 0, name);
  const auto compare = [&](const char* what, Size i, Real found, Real expected, Real size) {
    const bool near = !std::isfinite(size) || std::abs(found - expected) <= tolerance * size;
    if (same_bits(found, expected) || (tolerance > 0 && near)) return true;
    char text[200];
    std::snprintf(text, sizeof text, "%s: %s of %a, %a, %a is %a, not %a", name, what, double(a(i)),
                  double(b(i)), double(c(i)), double(found), double(expected));
    require(false, text);
    return false;
  };
  for (Size i = 0; i < n; ++i) {
    const Real product = a(i) * b(i), other = b(i) * c(i);
    const Real size = std::abs(product) + std::abs(other) + std::abs(a(i)) + std::abs(c(i));
    const Real rounded = std::nearbyint(a(i)) + std::floor(b(i));
    if (!compare("the sum", i, sums(i), product + c(i), size) ||
        !compare("the difference", i, differences(i), a(i) - other, size) ||
        !compare("the quotient", i, quotients(i), a(i) / b(i), std::abs(a(i) / b(i))) ||
        !compare("the root", i, roots(i), std::sqrt(std::abs(a(i))), std::sqrt(std::abs(a(i)))) ||
        !compare("the rounds", i, rounds(i), rounded + std::ceil(c(i)), size))
      return;
  }
}

void test_functions() {
  const Size n = 200;
  Array<float> a({n}), exps({n}), logs({n}), tanhs({n}), powers({n});
  for (Size i = 0; i < n; ++i) a(i) = float(i - 100) / 16;
  require(functions(n, a, exps, logs, tanhs, powers) == 0, "functions");
  const auto near = [](float found, double expected) {
    return std::abs(found - expected) <= 1e-6 + 1e-5 * std::abs(expected);
  };
  for (Size i = 0; i < n; ++i) {
    const double x = a(i);
    require(near(exps(i), std::exp(x)), "exp");
    require(near(logs(i), std::log(std::abs(x) + 1)), "log");
    require(near(tanhs(i), std::tanh(x)), "tanh");
    require(near(powers(i), std::pow(std::abs(x) + 0.5, 1.5)), "pow");
  }
}

void test_pair() {
  const Size n = 70;
  Array<float> in({n}), out({n});
  for (float& x : in) x = float(&x - in.data());
  for (int round = 0; round < 3; ++round)
    for (const auto& [kernel, factor] : {std::pair{&doubled, 2.0f}, {&tripled, 3.0f}}) {
      require(kernel(n, in, out) == 0, "a pair of kernels");
      for (Size i = 0; i < n; ++i) require(out(i) == in(i)*factor, "a pair of kernels: values");
    }
}

void test_gather() {
  const Size n = 100, a = 3, b = 17, c = 40;
  Array<std::int32_t> at({n});
  Array<float> in({a, b, c}), out({n});
  for (Size i = 0; i < n; ++i) at(i) = std::int32_t(i - 20);
  for (float& x : in) x = float(&x - in.data());
  require(gather(n, a, b, c, at, in, out) == 0, "gather");
  for (Size i = 0; i < n; ++i) {
    const auto place = [&](Size size) { return std::clamp<Size>(at(i), 0, size - 1); };
    require(out(i) == in(place(a), place(b), place(c)), "gather: values");
  }
}

// An argument whose box on the device has strides of more than 31 bits, though it is one element
// of the host, is refused and not half copied.
void test_too_large() {
  Array<std::int32_t> at({1});
  Array<float> out({1});
  float element = 1;
  at(0) = 0;
  out(0) = -1;
  const Size one[3] = {1, 1, 1};
  strata_dimension dimensions[3];
  strata_buffer in;
  strata_buffer_init(&in, strata_float(32), &element, 3, dimensions, one);
  for (strata_dimension& d : dimensions) d.stride = 0, d.extent = 70'000;
  dimensions[2].extent = 2;
  require(gather(1, 2, 70'000, 70'000, at, strata_argument(&in), out) == strata_error_device_memory,
          "an argument that is too large for the device");
  require(out(0) == -1, "an argument that is too large for the device: a value is written");
}

// All threads meet in 7 places. The sums are of small whole numbers of both signs, and so exact.
void test_atomics(Size n) {
  constexpr Size bins = 7;
  Array<std::int32_t> in({n}), counts({bins}), products({bins}), greatest({bins});
  Array<float> real({n}), sums({bins}), least({bins});
  std::uint32_t state = 17;
  for (Size i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    in(i) = std::int32_t(state >> 12);
    real(i) = float(int(state >> 8) % 9 - 4);
  }
  std::uint32_t all[bins], odd[bins];
  std::int32_t most[bins];
  float sum[bins], low[bins];
  for (Size b = 0; b < bins; ++b) all[b] = 0, odd[b] = 1, most[b] = 0, sum[b] = low[b] = 0;
  for (Size i = 0; i < n; ++i) {
    const Size b = in(i) % bins;
    all[b] += 1;
    odd[b] *= 2 * std::uint32_t(in(i)) + 1;
    most[b] = std::max(most[b], in(i));
    sum[b] += real(i);
    low[b] = std::min(low[b], real(i));
  }
  for (int round = 0; round < 3; ++round) {
    const std::string name = "atomics of " + std::to_string(n);
    require(atomics(n, in, real, counts, products, greatest, sums, least) == 0, name);
    for (Size b = 0; b < bins; ++b) {
      require(counts(b) == std::int32_t(all[b]), name + ": counts");
      require(products(b) == std::int32_t(odd[b]), name + ": products");
      require(greatest(b) == most[b], name + ": greatest");
      require(sums(b) == sum[b], name + ": sums");
      require(least(b) == low[b], name + ": least");
    }
  }
}

void test_starts(Size n) {
  const std::string name = "starts of " + std::to_string(n);
  Array<std::int32_t> in({n, 3}), single({n}), total({n}), greatest({n}), moved({n});
  for (std::int32_t& x : in) x = std::int32_t(&x - in.data()) * 7 % 31 - 15;
  require(starts(n, in, single, total, greatest, moved) == 0, name);
  for (Size i = 0; i < n; ++i) {
    require(single(i) == in(i, 0), name + ": single");
    require(total(i) == in(i, 0) + in(i, 1) + in(i, 2), name + ": total");
    require(greatest(i) == std::max({in(i, 0), in(i, 1), in(i, 2)}), name + ": greatest");
    require(moved(i) == 3 * i - 7 + in(i, 1), name + ": moved");
  }
}

// Sums of small whole numbers, which are exact in any order.
void test_warps(Size n, Size m) {
  const std::string name = named("warps", n, m);
  Array<std::int32_t> in({n, m}), counts({n}), products({n}), least({n});
  Array<float> real({n, m}), sums({n}), peaks({n});
  for (std::int32_t& x : in) x = std::int32_t(&x - in.data()) * 37 % 1001 - 500;
  for (float& x : real) x = float((&x - real.data()) * 29 % 203 - 150);
  require(warps(n, m, in, real, sums, peaks, counts, products, least) == 0, name);
  for (Size i = 0; i < n; ++i) {
    float sum = 0, peak = -std::numeric_limits<float>::infinity();
    std::uint32_t count = 0, product = 1;
    std::int32_t low = std::numeric_limits<std::int32_t>::max();
    for (Size k = 0; k < m; ++k) {
      sum += real(i, k);
      peak = std::max(peak, real(i, k));
      count += std::uint32_t(in(i, k));
      product *= 2 * std::uint32_t(in(i, k)) + 1;
      low = std::min(low, in(i, k));
    }
    require(sums(i) == sum, name + ": sums");
    require(peaks(i) == peak, name + ": peaks");
    require(counts(i) == std::int32_t(count), name + ": counts");
    require(products(i) == std::int32_t(product), name + ": products");
    require(least(i) == low, name + ": least");
  }
}

void test_softmax(Size n, Size m) {
  const std::string name = named("softmax", n, m);
  Array<float> in({n, m}), out({n, m});
  for (float& x : in) x = float((&x - in.data()) * 31 % 101) / 8 + 90;
  require(softmax(n, m, in, out) == 0, name);
  for (Size i = 0; i < n; ++i) {
    double peak = 0, total = 0;
    for (Size k = 0; k < m; ++k) peak = std::max(peak, double(in(i, k)));
    for (Size k = 0; k < m; ++k) total += std::exp(in(i, k) - peak);
    for (Size k = 0; k < m; ++k) {
      const double expected = std::exp(in(i, k) - peak) / total;
      if (std::abs(out(i, k) - expected) > 1e-5 * expected)
        return require(false, name + ": values");
    }
  }
}

// Whole numbers, whose sums and products are exact.
void test_weights(Size n, Size m) {
  const std::string name = named("weights", n, m);
  constexpr Size most = 11;
  Array<float> in({n + 2, m + 2}), w({3, 3}), shares({most}), gains({n}), out({n, m});
  for (float& x : in) x = float((&x - in.data()) % 13);
  for (float& x : w) x = float(&x - w.data() - 4);
  for (float& x : shares) x = float(&x - shares.data() + 1);
  for (float& x : gains) x = float((&x - gains.data()) % 3 - 1);
  require(weights(n, m, most, in, w, shares, gains, out) == 0, name);
  for (Size i = 0; i < n; ++i)
    for (Size j = 0; j < m; ++j) {
      float sum = 0;
      for (Size y = 0; y < 3; ++y)
        for (Size x = 0; x < 3; ++x) sum += in(i + y, j + x) * w(y, x);
      if (out(i, j) != sum * shares(std::min(j, most - 1)) * gains(i))
        return require(false, name + ": values");
    }
}

}  // namespace

int main() {
  for (const auto& [n, m] : {std::pair<Size, Size>{41, 60}, {16, 64}, {1, 4}, {0, 4}, {5, 0}})
    test_vectors("vectors", vectors, n, m);
  for (const auto& [n, m] :
       {std::pair<Size, Size>{41, 59}, {16, 64}, {1, 1}, {0, 5}, {5, 0}, {3, 130}})
    test_vectors("vectors_any", vectors_any, n, m);
  require(vectors(4, 5, Array<float>({4, 5}), Array<float>({4, 5})) == strata_error_assumption,
          "vectors of a size that was assumed away");
  for (const auto& [n, m] : {std::pair<Size, Size>{9, 40}, {1, 8}, {8, 128}, {0, 8}})
    test_vector_operations(n, m);
  test_strides();
  test_floats<float>("exact_float", exact_float, 0);
  test_floats<double>("exact_double", exact_double, 0);
  test_floats<float>("fast_float", fast_float, 1e-6f);
  test_functions();
  test_pair();
  test_gather();
  test_too_large();
  for (const auto& [n, m] : {std::pair<Size, Size>{41, 59}, {1, 1}, {0, 5}}) test_weights(n, m);
  for (const Size n : {0, 1, 33, 100'000}) test_atomics(n);
  for (const Size n : {1, 33, 1000}) test_starts(n);
  for (const auto& [n, m] :
       {std::pair<Size, Size>{9, 131}, {4, 64}, {1, 1}, {3, 31}, {8, 32}, {5, 0}, {0, 5}}) {
    test_warps(n, m);
    test_softmax(n, m);
  }
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
