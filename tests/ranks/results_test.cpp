// Sums, tuples, conditional updates and atomic steps that travel, and messages of several arrays.
#include <algorithm>
#include <array>

#include "fields.h"
#include "partial.h"
#include "products.h"
#include "products_outer.h"
#include "replaced.h"
#include "row_results.h"
#include "smooth.h"
#include "steps.h"
#include "tests/ranks/case.h"

namespace strata::test::ranks {
namespace {

void check_row_results(const Case& c) {
  LeastValues least(c.cuts);
  for (int64_t y = 0; y < c.N; ++y) {
    // A position of int64 counts as two values of four bytes.
    for (int64_t part = 0; part < 3 && y > 0; ++part) least.read({y - 1, part}, y - 1, y);
    if (y + 2 < c.N) least.read({y + 2, 3}, y + 2, y);
  }
  const auto best = [&](int64_t i) {
    const auto& row = c.data[std::size_t(i)];
    const auto most = std::max_element(row.begin(), row.end());
    return *most + int32_t(most - row.begin());
  };
  const auto sum = [&](int64_t i) {
    int32_t all = 0;
    for (int64_t j = 1; j < c.M; ++j) all += c.at(i, j);
    return all;
  };
  Part<int32_t> g({c.first(), 0}, {c.last(), c.M}), w({c.first()}, {c.last()});
  fill(g, c, true);
  check(
      "results of rows", c, least,
      [&] { return row_results(team, c.T, c.N, c.M, c.given(), g.argument(), w.argument()); },
      [&](int64_t y) {
        return w.at({y}) == (y > 0 ? best(y - 1) : 1) + (y + 2 < c.N ? 3 * sum(y + 2) : 5);
      });
}

using ProductKernel = int (*)(strata_team*, int64_t, int64_t, int64_t, const int64_t*,
                              halide_buffer_t*, halide_buffer_t*, halide_buffer_t*);

void check_products(const Case& c, const std::string& name, ProductKernel kernel) {
  LeastValues least(c.cuts);
  for (int64_t x = 0; x < c.N; ++x)
    for (int64_t z = 0; z < c.N; ++z)
      for (int64_t y = 0; y < c.M; ++y) least.read({z, y}, z, x);
  const auto b = [](int64_t k, int64_t j) { return int32_t(31 * k + 7 * j); };
  Part<int32_t> left({c.first(), 0}, {c.last(), c.M}), right({0, 0}, {c.M, c.M});
  Part<int32_t> out({c.first(), 0}, {c.last(), c.M});
  fill(left, c, true);
  for (int64_t k = 0; k < c.M; ++k)
    for (int64_t j = 0; j < c.M; ++j) right.at({k, j}) = b(k, j);
  std::vector<std::vector<uint32_t>> d(std::size_t(c.N), std::vector<uint32_t>(std::size_t(c.M)));
  for (int64_t i = 0; i < c.N; ++i)
    for (int64_t j = 0; j < c.M; ++j)
      for (int64_t k = 0; k < c.M; ++k)
        d[std::size_t(i)][std::size_t(j)] += uint32_t(c.at(i, k)) * uint32_t(b(k, j));
  check(
      name, c, least,
      [&] {
        return kernel(team, c.T, c.N, c.M, c.given(), left.argument(), right.argument(),
                      out.argument());
      },
      [&](int64_t x) {
        bool right_row = true;
        for (int64_t y = 0; y < c.M; ++y) {
          uint32_t sum = 0;
          for (int64_t z = 0; z < c.N; ++z)
            sum += uint32_t(x + 2 * z) * d[std::size_t(z)][std::size_t(y)];
          right_row &= uint32_t(out.at({x, y})) == sum;
        }
        return right_row;
      });
}

void check_smooth(const Case& c) {
  std::vector<uint32_t> a, b(std::size_t(c.N));
  for (int64_t i = 0; i < c.N; ++i) a.push_back(6u * uint32_t(c.at(i)));
  LeastValues least(c.cuts);
  for (int64_t t = 1; t <= c.T; ++t, a.swap(b))
    for (int64_t i = 0; i < c.N; ++i) {
      uint32_t sum = 0;
      for (int64_t k = 0; k < 3; ++k) {
        const int64_t from = std::clamp<int64_t>(i + k - 1, 0, c.N - 1);
        sum += uint32_t(k + 1) * a[std::size_t(from)];
        least.read({t - 1, from}, from, i, {t});
      }
      b[std::size_t(i)] = sum;
    }
  Part<int32_t> g({c.first()}, {c.last()}), u({0, 0}, {2, c.N});
  fill(g, c, false);
  check(
      "sums of the step before", c, least,
      [&] { return smooth(team, c.T, c.N, c.given(), g.argument(), u.argument()); },
      [&](int64_t i) { return uint32_t(u.at({c.T % 2, i})) == a[std::size_t(i)]; });
}

void check_replaced(const Case& c) {
  LeastValues least(c.cuts);
  for (int64_t x = 0; x + 1 < c.N; ++x) least.read({0, x + 1}, x + 1, x, {0});
  for (int64_t y = 1; y < c.N; ++y) least.read({1, y - 1}, y - 1, y, {1});
  const auto value = [&](int64_t x) {
    const bool replaced = x + 1 < c.N && c.at(x) % 2 == 0;
    return 3 * c.at(x) + (replaced ? 7 * c.at(x + 1) + 1 : 0);
  };
  Part<int32_t> g({c.first()}, {c.last()}), out({c.first()}, {c.last()});
  fill(g, c, false);
  check(
      "conditional updates", c, least,
      [&] { return replaced(team, c.T, c.N, c.given(), g.argument(), out.argument()); },
      [&](int64_t y) { return out.at({y}) == value(y) + (y > 0 ? 5 * value(y - 1) : 9); });
}

void check_steps(const Case& c) {
  LeastValues least(c.cuts);
  for (int64_t y = 1; y < c.N; ++y) least.read({y - 1}, y - 1, y);
  const auto value = [&](int64_t x) {
    int32_t sum = int32_t(x);
    for (int64_t k = 0; k < c.M; ++k) sum += c.at(x, k);
    return sum;
  };
  Part<int32_t> g({c.first(), 0}, {c.last(), c.M}), out({c.first()}, {c.last()});
  fill(g, c, true);
  check(
      "atomic steps", c, least,
      [&] { return steps(team, c.T, c.N, c.M, c.given(), g.argument(), out.argument()); },
      [&](int64_t y) { return out.at({y}) == value(y) + (y > 0 ? 5 * value(y - 1) : 9); });
}

void check_partial(const Case& c) {
  LeastValues least(c.cuts);
  int32_t sum = 0;
  for (int64_t k = 0; k < c.N; ++k) {
    least.read_by_all({k}, k);
    for (int64_t l = 0; l < c.M; ++l) sum += c.at(k, l);
  }
  Part<int32_t> g({c.first(), 0}, {c.last(), c.M}), w({c.first()}, {c.last()});
  fill(g, c, true);
  check(
      "partial sums", c, least,
      [&] { return partial(team, c.T, c.N, c.M, c.given(), g.argument(), w.argument()); },
      [&](int64_t x) { return w.at({x}) == sum + int32_t(x); });
}

void check_fields(const Case& c) {
  using Field = std::array<std::vector<int64_t>, 3>;
  const auto n = std::size_t(c.N);
  const std::vector<int64_t> zeros(n);
  Field e{zeros, zeros, zeros}, h = e;
  LeastValues least(c.cuts);
  for (int64_t t = 0; t <= c.T; ++t) {
    for (int64_t f = 0; f < 3; ++f)
      for (std::size_t i = 0; i < n; ++i) {
        const auto& of = h[std::size_t((f + 1) % 3)];
        int64_t& here = e[std::size_t(f)][i];
        here =
            int32_t(t == 0 ? (f + 1) * c.at(int64_t(i)) : here + of[i] - (i > 0 ? of[i - 1] : 0));
        for (int64_t part = 0; part < 2 && t > 0 && i > 0; ++part)
          least.read({t, f, part, int64_t(i)}, int64_t(i) - 1, int64_t(i), {t, 0});
      }
    for (int64_t f = 0; f < 3; ++f)
      for (std::size_t i = 0; i < n; ++i) {
        const auto& of = e[std::size_t((f + 2) % 3)];
        h[std::size_t(f)][i] += (i + 1 < n ? of[i + 1] : 0) - of[i];
        if (i + 1 < n) least.read({t, f, 2, int64_t(i)}, int64_t(i) + 1, int64_t(i), {t, 1});
      }
  }
  Part<int32_t> g({c.first()}, {c.last()}), e0({0, 0}, {2, c.N}), e1({0, 0}, {2, c.N}),
      e2({0, 0}, {2, c.N});
  Part<int64_t> h0({0, 0}, {2, c.N}), h1({0, 0}, {2, c.N}), h2({0, 0}, {2, c.N});
  fill(g, c, false);
  check(
      "six fields", c, least,
      [&] {
        return fields(team, c.T, c.N, c.given(), g.argument(), e0.argument(), e1.argument(),
                      e2.argument(), h0.argument(), h1.argument(), h2.argument());
      },
      [&](int64_t i) {
        const Index at{c.T % 2, i};
        const auto k = std::size_t(i);
        return e0.at(at) == e[0][k] && e1.at(at) == e[1][k] && e2.at(at) == e[2][k] &&
               h0.at(at) == h[0][k] && h1.at(at) == h[1][k] && h2.at(at) == h[2][k];
      });
}

}  // namespace

void check_results(const Case& c) {
  check_row_results(c);
  check_products(c, "two products", products);
  check_products(c, "two products with contributions outside", products_outer);
  check_smooth(c);
  check_replaced(c);
  check_steps(c);
  check_fields(c);
  check_partial(c);
}

}  // namespace strata::test::ranks
