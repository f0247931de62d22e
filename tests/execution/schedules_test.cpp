// Schedules do not change values, at any size and for any order of commands.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::schedules_test {

namespace {

const Var i("i"), j("j"), io("io"), jo("jo"), ii("ii"), ji("ji"), x("x"), y("y");
const Var io2("io2"), jo2("jo2"), ii2("ii2"), ji2("ji2");

struct Schedule {
  std::string name;
  std::function<void(Computation&)> give;
};

// Commands on a computation over loops i and j that does not read itself.
const std::vector<Schedule>& schedules() {
  static const std::vector<Schedule> all{
      {"none", [](Computation&) {}},
      {"tile", [](Computation& s) { s.tile(i, j, 4, 4, io, jo, ii, ji); }},
      {"tile without names, uneven", [](Computation& s) { s.tile(i, j, 3, 5); }},
      {"tiles of one element", [](Computation& s) { s.tile(i, j, 1, 1); }},
      {"a tile larger than everything", [](Computation& s) { s.tile(i, j, 100, 64); }},
      {"tile, vectorize, unroll, parallelize",
       [](Computation& s) {
         s.tile(i, j, 4, 8, io, jo, ii, ji).vectorize(ji, 4).unroll(ii).parallelize(io);
       }},
      {"parallelize, unroll, vectorize, tile",
       [](Computation& s) { s.parallelize(i).tile(i, j, 4, 8, io, jo, ii, ji).unroll(ii); }},
      {"tile, interchange, vectorize the outer row",
       [](Computation& s) {
         s.tile(i, j, 4, 4, io, jo, ii, ji).interchange(ii, ji).vectorize(ii);
       }},
      {"split, split, interchange",
       [](Computation& s) {
         s.split(i, 4, io, ii).split(j, 3, jo, ji).interchange(ii, jo).interchange(io, ji);
       }},
      {"split of a split",
       [](Computation& s) {
         s.split(j, 8, jo, ji).split(ji, 4, jo2, ji2).split(jo, 2).unroll(ji2);
       }},
      {"interchange, tile, parallelize",
       [](Computation& s) {
         s.interchange(i, j).tile(j, i, 4, 4, jo, io, ji, ii).parallelize(jo);
       }},
      {"skew, parallel inside", [](Computation& s) { s.skew(i, j, 1, 1, x, y).parallelize(y); }},
      {"skew, tile, vectorize",
       [](Computation& s) { s.skew(i, j, 2, 1, x, y).tile(x, y, 4, 4).vectorize(Var("y_in")); }},
      {"skew backwards", [](Computation& s) { s.skew(i, j, 1, -1, x, y).vectorize(y, 4); }},
      {"reverse both, vectorize",
       [](Computation& s) { s.reverse(i).reverse(j).vectorize(j, 4).parallelize(i); }},
      {"vectorize, reverse the vectors",
       [](Computation& s) { s.vectorize(j, 4, jo, ji).reverse(jo).reverse(i).interchange(i, jo); }},
      {"shift, vectorize",
       [](Computation& s) { s.shift(i, 3).shift(j, -Param("N") - 1).vectorize(j, 4); }},
      {"shift, tile, shift",
       [](Computation& s) {
         s.shift(i, 1).tile(i, j, 4, 4, io, jo, ii, ji).shift(jo, 7).unroll(ji);
       }},
      {"unroll, vectorize", [](Computation& s) { s.unroll(i, 3).vectorize(j, 4); }},
      {"vectorize, unroll the vectors",
       [](Computation& s) { s.vectorize(j, 4, jo, ji).unroll(jo, 2).parallelize(i); }},
      {"unroll further than there is", [](Computation& s) { s.unroll(j, 17).vectorize(i, 16); }},
      {"vectorize both", [](Computation& s) { s.vectorize(i, 2).vectorize(j, 4); }},
      {"tiles in tiles",
       [](Computation& s) {
         s.tile(i, j, 8, 8, io, jo, ii, ji).tile(ii, ji, 4, 4, io2, jo2, ii2, ji2).vectorize(ji2);
       }},
      {"tiles in tiles, larger outside",
       [](Computation& s) {
         s.tile(i, j, 3, 4, io, jo, ii, ji).tile(io, jo, 2, 3, io2, jo2, ii2, ji2);
         s.parallelize(jo2).vectorize(ji);
       }},
      {"by a map, in two pieces",
       [](Computation& s) {
         s.set_schedule(
             "[N, M] -> { s[i, j] -> [0, j, 0, i, 0] : i < j; "
             "s[i, j] -> [1, i, 0, j, 0] : i >= j }");
       }},
      {"by a map, along diagonals, then a tile",
       [](Computation& s) {
         s.set_schedule("[N, M] -> { s[i, j] -> [0, i + j, 0, -j, 0] }");
         s.tile(Var("t0"), Var("t1"), 4, 4);
       }},
      {"by a map, odd rows after even ones",
       [](Computation& s) {
         s.set_schedule("[N, M] -> { s[i, j] -> [i mod 2, floor(i/2), 0, j, 0] }");
       }},
  };
  return all;
}

// Sizes around a vector of 4 and a tile of 8, and odd ones.
const std::vector<std::pair<std::int64_t, std::int64_t>> sizes{
    {0, 5}, {1, 1}, {3, 4}, {4, 3}, {5, 0}, {7, 8}, {8, 9}, {9, 7}, {4, 13}, {17, 5}};

void check_everything(const std::function<Computation(Function&, Param, Param)>& make) {
  for (const Schedule& schedule : schedules()) {
    INFO("schedule: " << schedule.name);
    Function f("scheduled");
    f.set_budget(100'000'000);  // a strided parallelogram in skewed tiles of vectors needs 60
    Param N = f.param("N"), M = f.param("M");
    Computation s = make(f, N, M);
    try {
      schedule.give(s);
    } catch (const Error& e) {
      FAIL_CHECK(e.what());
      continue;
    }
    Judged judged(f, {Buffer("in"), s.buffer()});
    for (const auto& [n, m] : sizes) judged.check({n, m});
  }
}

}  // namespace

TEST_CASE("every schedule of a box", "[schedules]") {
  check_everything([](Function& f, Param N, Param M) {
    Input in = f.input("in", i32, {N, M});
    return f.computation("s", {Var("i", 0, N), Var("j", 0, M)},
                         in(i, j) * 3 + cast(i32, i - 2 * j));
  });
}

TEST_CASE("every schedule of a box that does not begin at 0", "[schedules]") {
  check_everything([](Function& f, Param N, Param M) {
    Input in = f.input("in", u16, {N, M});
    return f.computation("s", {Var("i", 1, N - 1), Var("j", -2, M - 2)},
                         in(i - 1, j + 2) + in(i + 1, j + 2));
  });
}

TEST_CASE("every schedule of a lower triangle", "[schedules]") {
  check_everything([](Function& f, Param N, Param M) {
    Input in = f.input("in", i32, {N, M});
    return f.computation("s", {Var("i", 0, N), Var("j", 0, min(i + 1, M))}, in(i, j) - 5);
  });
}

TEST_CASE("every schedule of an upper triangle", "[schedules]") {
  check_everything([](Function& f, Param N, Param M) {
    Input in = f.input("in", i32, {N, M});
    return f.computation("s", {Var("i", 0, N), Var("j", i, M)}, in(i, j) - 5);
  });
}

TEST_CASE("every schedule of a strided parallelogram", "[schedules]") {
  check_everything([](Function& f, Param N, Param M) {
    Input in = f.input("in", i64, {N, M});
    return f.computation(
        "s",
        Domain("[N, M] -> { s[i, j] : 0 <= i < N and i <= 2j < i + M and 0 <= j < M and "
               "(i + j) mod 2 = 0 }"),
        in(i, j) + i);
  });
}

}  // namespace strata::test::schedules_test
