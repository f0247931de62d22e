// compute_at and allocate_at: at every level, on every kind of loop.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include <atomic>

#include "tests/execution/harness.h"
#include "tests/execution/refused.h"

namespace strata::test::compute_at_test {

namespace {

std::atomic<std::int64_t> evaluations;

}  // namespace

// Called by kernels by name.
extern "C" std::int32_t strata_test_evaluated(std::int32_t x) {
  ++evaluations;
  return x;
}

namespace {

const Var i("i"), j("j"), k("k"), io("io"), jo("jo"), ii("ii"), ji("ji"), t("t"), u("u");

// The same function for the judges, without counting.
Options counted() {
  Options options;
  options.externs["strata_test_evaluated"] =
      reference::as_extern(+[](std::int32_t x) { return x; });
  return options;
}

// How often a run of the kernel evaluates the producer.
std::int64_t evaluations_at(Judged& judged, const std::vector<std::int64_t>& parameters) {
  evaluations = 0;
  judged.check(parameters);
  CHECK(evaluations % std::int64_t(all_shapes.size()) == 0);
  return evaluations / std::int64_t(all_shapes.size());
}

// Smaller and larger than the halo, the tiles and the vectors.
const std::vector<std::vector<std::int64_t>> sizes{{0, 0}, {1, 4}, {2, 2}, {3, 3},  {3, 17},
                                                   {4, 5}, {7, 3}, {9, 8}, {12, 6}, {17, 19}};

void check_all(Judged& judged) {
  for (const auto& size : sizes) judged.check(size);
}

// bx is a weighted sum of three horizontal neighbours of in, by of three vertical neighbours of bx.
struct Blur {
  Function f{"blur"};
  Param N = f.param("N"), M = f.param("M");
  Var rows{"i", 0, N}, columns{"j", 0, M - 2}, outputs{"k", 0, N - 2};
  Input in = f.input("in", i32, {N, M});
  Computation bx, by;

  explicit Blur(bool counted = false)
      : bx(f.computation("bx", {rows, columns}, sum_of_three(counted))),
        by(f.computation("by", {outputs, columns}, bx(k, j) + bx(k + 1, j) * 3 - bx(k + 2, j))) {}

  Expr sum_of_three(bool counted) const {
    const Expr value = in(i, j) + in(i, j + 1) * 2 + in(i, j + 2);
    return counted ? call(i32, "strata_test_evaluated", {value}) : value;
  }
  std::vector<Buffer> arguments() const { return {in.buffer(), by.buffer()}; }
};

struct Schedule {
  std::string name;
  std::function<void(Blur&)> give;
};

void check_each(const std::vector<Schedule>& schedules) {
  for (const Schedule& schedule : schedules) {
    INFO(schedule.name);
    Blur p;
    schedule.give(p);
    Judged judged(p.f, p.arguments());
    check_all(judged);
  }
}

}  // namespace

TEST_CASE("compute_at in each loop of the reader", "[compute_at]") {
  check_each({
      {"the outermost loop", [](Blur& p) { p.bx.compute_at(p.by, k); }},
      {"the innermost loop", [](Blur& p) { p.bx.compute_at(p.by, j); }},
      {"after an interchange, outer",
       [](Blur& p) { p.by.interchange(k, j), p.bx.compute_at(p.by, j); }},
      {"after an interchange, inner",
       [](Blur& p) { p.by.interchange(k, j), p.bx.compute_at(p.by, k); }},
  });
}

TEST_CASE("compute_at in each loop of tiles", "[compute_at]") {
  for (const Var& level : {io, jo, ii, ji}) {
    INFO(level.name());
    check_each({{"tiled before", [&](Blur& p) {
                   p.by.tile(k, j, 4, 8, io, jo, ii, ji);
                   p.bx.compute_at(p.by, level);
                 }}});
  }
}

TEST_CASE("compute_at before and after the loops change", "[compute_at]") {
  check_each({
      {"tiled after compute_at in the outermost loop",
       [](Blur& p) {
         p.bx.compute_at(p.by, k);
         p.by.split(k, 4, io, ii);
       }},
      {"the reader's inner loop split afterwards",
       [](Blur& p) {
         p.bx.compute_at(p.by, k);
         p.by.split(j, 4);
       }},
      {"split", [](Blur& p) { p.by.split(k, 3, io, ii), p.bx.compute_at(p.by, io); }},
      {"split, inner", [](Blur& p) { p.by.split(k, 3, io, ii), p.bx.compute_at(p.by, ii); }},
      {"skewed", [](Blur& p) { p.by.skew(k, j, 1, 1, t, u), p.bx.compute_at(p.by, t); }},
      {"skewed, inner", [](Blur& p) { p.by.skew(k, j, 1, 2, t, u), p.bx.compute_at(p.by, u); }},
      {"reversed", [](Blur& p) { p.by.reverse(k), p.bx.compute_at(p.by, k); }},
      {"reversed afterwards", [](Blur& p) { p.bx.compute_at(p.by, k), p.by.reverse(k); }},
      {"shifted", [](Blur& p) { p.by.shift(k, 5), p.bx.compute_at(p.by, k); }},
      {"shifted by a parameter", [](Blur& p) { p.by.shift(k, p.M), p.bx.compute_at(p.by, k); }},
      {"the producer transformed before",
       [](Blur& p) { p.bx.interchange(i, j).reverse(i).split(j, 2), p.bx.compute_at(p.by, k); }},
      {"the producer transformed after",
       [](Blur& p) {
         p.by.tile(k, j, 4, 8, io, jo, ii, ji);
         p.bx.compute_at(p.by, jo);
         p.bx.interchange(i, j).reverse(i).split(j, 2);
       }},
  });
}

TEST_CASE("compute_at with tags", "[compute_at]") {
  check_each({
      {"parallel tiles",
       [](Blur& p) {
         p.by.tile(k, j, 4, 8, io, jo, ii, ji);
         p.bx.compute_at(p.by, jo);
         p.by.parallelize(io);
       }},
      {"parallel before",
       [](Blur& p) {
         p.by.tile(k, j, 4, 8, io, jo, ii, ji).parallelize(io).parallelize(jo);
         p.bx.compute_at(p.by, jo);
       }},
      {"in a parallel loop", [](Blur& p) { p.by.parallelize(k), p.bx.compute_at(p.by, k); }},
      {"vectors in both",
       [](Blur& p) {
         p.by.tile(k, j, 4, 8, io, jo, ii, ji).vectorize(ji, 4);
         p.bx.compute_at(p.by, jo);
         p.bx.vectorize(j, 4);
       }},
      {"vectors of the producer before",
       [](Blur& p) {
         p.bx.vectorize(j, 4);
         p.bx.compute_at(p.by, k);
         p.by.vectorize(j, 4);
       }},
      {"inside a vector loop",
       [](Blur& p) {
         p.by.vectorize(j, 4);
         p.bx.compute_at(p.by, Var("j_lane"));
       }},
      {"unrolled in both",
       [](Blur& p) {
         p.by.tile(k, j, 2, 4, io, jo, ii, ji).unroll(ii).vectorize(ji);
         p.bx.compute_at(p.by, jo);
         p.bx.unroll(i, 2).vectorize(j, 4);
       }},
      {"in an unrolled loop",
       [](Blur& p) {
         p.by.split(k, 3, io, ii).unroll(ii);
         p.bx.compute_at(p.by, ii);
       }},
  });
}

TEST_CASE("compute_at with store_in", "[compute_at]") {
  check_each({
      {"three rows", [](Blur& p) { p.bx.compute_at(p.by, k).store_in({i % 3, j}); }},
      {"three rows before",
       [](Blur& p) { p.bx.store_in({i, j}).compute_at(p.by, k).store_in({i % 3, j}); }},
      {"transposed",
       [](Blur& p) {
         p.by.tile(k, j, 4, 8, io, jo, ii, ji);
         p.bx.compute_at(p.by, jo).store_in({j, i});
       }},
      {"in one for all iterations", [](Blur& p) { p.bx.compute_at(p.by, k).allocate_at(root); }},
      {"three rows for all iterations",
       [](Blur& p) { p.bx.compute_at(p.by, k).allocate_at(root).store_in({i % 3, j}); }},
      {"allocated further out",
       [](Blur& p) {
         p.by.tile(k, j, 4, 8, io, jo, ii, ji);
         p.bx.compute_at(p.by, jo).allocate_at(p.by, io);
       }},
      {"allocated further in",
       [](Blur& p) {
         p.by.tile(k, j, 4, 8, io, jo, ii, ji);
         p.bx.compute_at(p.by, ii).allocate_at(p.by, jo).allocate_at(p.by, ii);
       }},
  });
  Blur small;
  small.bx.compute_at(small.by, k);
  CHECK(refuses(small.f, Code::E0301_value_overwritten, [&] { small.bx.store_in({i % 2, j}); }));
}

TEST_CASE("compute_at computes each value as often as tiles read it", "[compute_at]") {
  Blur p(true);
  p.by.tile(k, j, 4, 8, io, jo, ii, ji);
  p.bx.compute_at(p.by, jo);
  Judged judged(p.f, p.arguments(), counted());
  for (const auto& size : sizes) {
    std::int64_t expected = 0;
    const std::int64_t rows = size[0] - 2, columns = size[1] - 2;
    for (std::int64_t row = 0; row < rows; row += 4)
      for (std::int64_t column = 0; column < columns; column += 8)
        expected += (std::min<std::int64_t>(4, rows - row) + 2) *
                    std::min<std::int64_t>(8, columns - column);
    INFO(size[0] << " x " << size[1]);
    CHECK(evaluations_at(judged, size) == expected);
  }
}

TEST_CASE("compute_at in the outermost loop computes three rows each", "[compute_at]") {
  Blur p(true);
  p.bx.compute_at(p.by, k);
  Judged judged(p.f, p.arguments(), counted());
  for (const auto& size : sizes)
    CHECK(evaluations_at(judged, size) ==
          3 * std::max<std::int64_t>(0, size[0] - 2) * std::max<std::int64_t>(0, size[1] - 2));
}

TEST_CASE("compute_at with tiles of 32 x 64", "[compute_at]") {
  Blur p(true);
  p.by.tile(k, j, 32, 64, io, jo, ii, ji);
  p.bx.compute_at(p.by, jo);
  p.by.parallelize(io).vectorize(ji, 16);
  Judged judged(p.f, p.arguments(), counted());
  // 98 rows are tiles of 32, 32, 32 and 2; 128 columns are full tiles.
  CHECK(evaluations_at(judged, {100, 130}) == (3 * (32 + 2) + (2 + 2)) * 128);
}

TEST_CASE("compute_at of an output", "[compute_at]") {
  Blur p;
  p.f.assume(p.N >= 3);  // otherwise bx has no readers
  p.bx.compute_at(p.by, k);
  Judged judged(p.f, {p.in.buffer(), p.bx.buffer(), p.by.buffer()});
  for (const auto& size : sizes)
    if (size[0] >= 3) judged.check(size);
  p.by.parallelize(k);
  CHECK(refuses(p.f, Code::E0303_race,
                [&] { p.f.jit({p.in.buffer(), p.bx.buffer(), p.by.buffer()}); }));
}

}  // namespace strata::test::compute_at_test
