// Arguments with any strides, in kernels with tiles, vectors and unrolled code, compared with plain
// loops.
#include <catch2/catch.hpp>

#include <strata/runtime.h>
#include <strata/strata.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "tests/execution/harness.h"

namespace strata::test::any_strides_test {

namespace {

// Strides in elements; rows have 64 elements.
struct Strides {
  std::int32_t row, column;
};
const std::vector<Strides> all_strides{{64, 1}, {128, 2},  {-64, 1},  {64, -1},
                                       {1, 64}, {-1, -64}, {-192, -3}};

// A matrix of int32 somewhere in memory; a vector has one row.
class Matrix {
 public:
  Matrix(int rows, int columns, Strides strides)
      : rows_(rows), columns_(columns), strides_(strides), memory_(2 * reach, -7) {}

  std::int32_t& at(std::int64_t i, std::int64_t j) {
    return memory_[std::size_t(reach + i * strides_.row + j * strides_.column)];
  }
  void fill(std::int64_t seed) {
    for (int i = 0; i < rows_; ++i)
      for (int j = 0; j < columns_; ++j)
        at(i, j) = std::int32_t((i * 7919 + j * 104729 + seed * 31) % 1009 - 500);
  }
  halide_buffer_t* matrix() { return described(2); }
  halide_buffer_t* vector() { return described(1); }
  // Is all memory except the elements unchanged?
  bool alone() const {
    const auto kept = std::count(memory_.begin(), memory_.end(), -7);
    return kept >= std::int64_t(memory_.size()) - rows_ * columns_;
  }

 private:
  static constexpr std::int64_t reach = 192 * 64;

  halide_buffer_t* described(int rank) {
    buffer_ = {};
    buffer_.type = strata_int(32);
    buffer_.host = reinterpret_cast<std::uint8_t*>(&at(0, 0));
    buffer_.dimensions = rank;
    dimensions_[0] = {0, columns_, strides_.column, 0};
    dimensions_[1] = {0, rows_, strides_.row, 0};
    buffer_.dim = dimensions_;
    return strata_argument(&buffer_);
  }

  int rows_, columns_;
  Strides strides_;
  std::vector<std::int32_t> memory_;
  strata_buffer buffer_{};
  strata_dimension dimensions_[2];
};

// Calls "judged" with every pair of strides.
void for_each_strides(const std::function<void(Strides, Strides)>& judged) {
  for (const Strides& in : all_strides)
    for (const Strides& out : all_strides) {
      INFO("strides " << in.row << ", " << in.column << " and " << out.row << ", " << out.column);
      judged(in, out);
    }
}

const Var io("i0"), jo("j0"), ii("i1"), ji("j1"), k("k");

}  // namespace

TEST_CASE("a product in register tiles with any strides", "[strides]") {
  Function f("product");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M);
  Input a = f.input("a", i32, {N, K}), b = f.input("b", i32, {K, M});
  Computation c = f.computation("c", {i, j}, sum(Var("k", 0, K), a(i, k) * b(k, j)));
  c.tile(i, j, 4, 16, io, jo, ii, ji);
  c.interchange(ji, k).interchange(ii, k);
  c.unroll(ii).vectorize(ji, 8);
  const JitFunction kernel = f.jit({a.buffer(), b.buffer(), c.buffer()});
  for_each_strides([&](Strides in, Strides out) {
    for (const auto& [n, m, d] : {std::tuple(5, 19, 3), {8, 32, 2}, {3, 7, 1}, {9, 41, 5}}) {
      Matrix x(n, d, out), y(d, m, in), z(n, m, out);
      x.fill(1), y.fill(2);
      REQUIRE(kernel({n, m, d}, {x.matrix(), y.matrix(), z.matrix()}) == 0);
      for (int r = 0; r < n; ++r)
        for (int s = 0; s < m; ++s) {
          std::int32_t sum = 0;
          for (int q = 0; q < d; ++q) sum += x.at(r, q) * y.at(q, s);
          REQUIRE(z.at(r, s) == sum);
        }
      CHECK(z.alone());
    }
  });
}

namespace {

// y(i, j) = x(i, j) + 2 x(i, j + 1) - x(i + 1, j), tiled by "schedule".
void check_stencil(const std::function<void(Function&, Computation&)>& schedule,
                   const std::vector<std::int64_t>& more = {}) {
  Function f("stencil");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input x = f.input("x", i32, {N + 1, M + 1});
  Computation y = f.computation("y", {i, j}, x(i, j) + 2 * x(i, j + 1) - x(i + 1, j));
  schedule(f, y);
  const JitFunction kernel = f.jit({x.buffer(), y.buffer()});
  for_each_strides([&](Strides in, Strides out) {
    for (const auto& [n, m] : {std::pair(5, 21), {8, 32}, {1, 3}, {13, 9}}) {
      Matrix given(n + 1, m + 1, in), made(n, m, out);
      given.fill(3);
      std::vector<std::int64_t> parameters{n, m};
      parameters.insert(parameters.end(), more.begin(), more.end());
      REQUIRE(kernel(parameters, {given.matrix(), made.matrix()}) == 0);
      for (int r = 0; r < n; ++r)
        for (int s = 0; s < m; ++s)
          REQUIRE(made.at(r, s) == given.at(r, s) + 2 * given.at(r, s + 1) - given.at(r + 1, s));
      CHECK(made.alone());
    }
  });
}

}  // namespace

TEST_CASE("vectors whose lanes are masked with any strides", "[strides]") {
  check_stencil([](Function&, Computation& y) {
    const Var i("i"), j("j"), lane("lane");
    y.tile(i, j, 4, 16, io, jo, ii, ji).parallelize(io);
    y.vectorize(ji, 8, ji, lane).mask(lane).unroll(ii);
  });
}

TEST_CASE("tiles with a choice of border with any strides", "[strides]") {
  check_stencil([](Function&, Computation& y) {
    const Var i("i"), j("j");
    y.tile(i, j, 4, 16, io, jo, ii, ji).vectorize(ji).unroll(ii);
    y.separate(ii).separate(ji);
  });
}

TEST_CASE("tiles of parametric sizes with any strides", "[strides]") {
  for (const std::int64_t size : {1, 3, 8})
    check_stencil(
        [](Function& f, Computation& y) {
          const Param T = f.param("T");
          const Var i("i"), j("j");
          y.tile(i, j, T, T, io, jo, ii, ji).vectorize(ji, 8).unroll(ii, 2);
        },
        {size});
}

TEST_CASE("partial results with any strides", "[strides]") {
  Function f("rows");
  Param N = f.param("N"), K = f.param("K");
  Var i("i", 0, N), k0("k0"), k1("k1");
  Input in = f.input("in", i32, {N, K});
  Computation s = f.computation("s", {i}, sum(Var("k", 0, K), in(i, k)));
  s.split(i, 4, io, ii).split(k, 8, k0, k1).rfactor(k1, "part").vectorize(k1);
  const JitFunction kernel = f.jit({in.buffer(), s.buffer()});
  for_each_strides([&](Strides given, Strides made) {
    for (const auto& [n, d] : {std::pair(5, 19), {8, 16}, {3, 7}, {2, 0}}) {
      Matrix x(n, d, given), y(1, n, made);
      x.fill(4);
      REQUIRE(kernel({n, d}, {x.matrix(), y.vector()}) == 0);
      for (int r = 0; r < n; ++r) {
        std::int32_t sum = 0;
        for (int q = 0; q < d; ++q) sum += x.at(r, q);
        REQUIRE(y.at(0, r) == sum);
      }
      CHECK(y.alone());
    }
  });
}

TEST_CASE("an index from data in vectors with any strides", "[strides]") {
  Function f("gather");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N);
  Input at = f.input("at", i32, {N}), table = f.input("table", i32, {M});
  Computation out = f.computation("out", {i}, table(at(i)) + cast(i32, i));
  out.split(i, 16, io, ii).vectorize(ii, 8);
  const JitFunction kernel = f.jit({at.buffer(), table.buffer(), out.buffer()});
  for_each_strides([&](Strides in, Strides made) {
    for (const auto& [n, m] : {std::pair(21, 5), {32, 9}, {7, 1}}) {
      Matrix index(1, n, made), values(1, m, in), result(1, n, made);
      values.fill(5);
      for (int x = 0; x < n; ++x) index.at(0, x) = (x * 5 + 2) % m;
      const std::vector<halide_buffer_t*> arguments{index.vector(), values.vector(),
                                                    result.vector()};
      REQUIRE(kernel({n, m}, arguments) == 0);
      for (int x = 0; x < n; ++x) REQUIRE(result.at(0, x) == values.at(0, index.at(0, x)) + x);
      CHECK(result.alone());
      index.at(0, n - 1) = m;
      CHECK(kernel({n, m}, arguments) == strata_error_index_out_of_range);
    }
  });
}

TEST_CASE("a buffer of a tile with any strides", "[strides]") {
  Function f("chain");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M), wide("i", 0, N + 2);
  Input x = f.input("x", i32, {N + 2, M});
  Computation doubled = f.computation("doubled", {wide, j}, x(wide, j) * 2);
  Computation y = f.computation("y", {i, j}, doubled(i, j) - doubled(i + 2, j));
  y.tile(i, j, 4, 16, io, jo, ii, ji);
  doubled.compute_at(y, jo).vectorize(j, 8);
  y.vectorize(ji, 8).unroll(ii);
  const JitFunction kernel = f.jit({x.buffer(), y.buffer()});
  for_each_strides([&](Strides in, Strides out) {
    for (const auto& [n, m] : {std::pair(5, 21), {8, 32}, {1, 3}, {13, 9}}) {
      Matrix given(n + 2, m, in), made(n, m, out);
      given.fill(6);
      REQUIRE(kernel({n, m}, {given.matrix(), made.matrix()}) == 0);
      for (int r = 0; r < n; ++r)
        for (int s = 0; s < m; ++s)
          REQUIRE(made.at(r, s) == 2 * given.at(r, s) - 2 * given.at(r + 2, s));
      CHECK(made.alone());
    }
  });
}

}  // namespace strata::test::any_strides_test
