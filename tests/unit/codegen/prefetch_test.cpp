// The boxes that loops prefetch, compared with results computed by hand.
#include <algorithm>
#include <set>

#include "codegen/tree/verify_loop_tree.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/storage/cache_at.h"
#include "schedule/commands/storage/prefetch.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/finish.h"
#include "tests/unit/codegen/trace.h"
#include "tests/unit/programs.h"

namespace strata::test::prefetch_test {

namespace {

// for i < N, j < M: T(i, j) = in(i, j) + in(i, j + 1), in tiles of 4 x 8.
Program tiled_neighbours() {
  Var i = range("i", "N"), j = range("j", "M");
  auto program =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M") + 1}, asked);
  program = define(program, "T", {i, j}, at("in", {i, j}) + at("in", {i, j + 1}));
  return tile(program, {{"T", "i"}, {"T", "j"}}, {4, 8}, {"i0", "j0"}, {"i1", "j1"});
}

Kernel finished_kernel(const Program& program, const std::vector<std::string>& arguments) {
  LowerOptions options;
  options.arguments = arguments;
  return lower(finished(program, arguments, {}), options);
}

// Requires that the program with prefetches has the same executions as without.
void require_same_trace(const Program& with, const Program& without, const Parameters& sizes) {
  const auto a = trace(lowered(with), sizes), b = trace(lowered(without), sizes);
  REQUIRE(a.size() == b.size());
  for (std::size_t n = 0; n < a.size(); ++n) {
    CHECK(a[n].computation == b[n].computation);
    CHECK(a[n].instance == b[n].instance);
  }
}

}  // namespace

TEST_CASE("an iteration prefetches the box of a later tile", "[codegen][prefetch]") {
  const Program program =
      store_in(tiled_neighbours(), "T", "T", {Var("i"), Var("j")}, {Var("i"), Var("j")}, {});
  const Program ahead = prefetch(program, {"T", "j0"}, "in", 3);
  const Kernel kernel = lowered(ahead);
  INFO(to_c_text(kernel));
  const std::int64_t N = 10, M = 42;
  std::set<Point> found;
  for (const TracedPrefetch& box : prefetches(kernel, {{"N", N}, {"M", M}})) {
    CHECK(box.buffer == "in");
    CHECK(found.insert(box.lowers).second);
    CHECK(box.extents[0] <= 4);
    CHECK(box.extents[0] >= std::min<std::int64_t>(4, N - box.lowers[0]));
    CHECK(box.extents[1] <= 8 + 1);
    CHECK(box.extents[1] >= std::min<std::int64_t>(8, M - box.lowers[1]) + 1);
  }
  for (std::int64_t i0 = 0; i0 <= 2; ++i0)
    for (std::int64_t j0 = 0; j0 + 3 <= 5; ++j0) CHECK(found.count({4 * i0, 8 * (j0 + 3)}));
  for (const Point& lowers : found) {
    CHECK(lowers[0] % 4 == 0);
    CHECK(lowers[1] % 8 == 0);
    CHECK(lowers[1] >= 8 * 3);
  }
  require_theta(ahead, {{{"N", 10}, {"M", 42}}, {{"N", 0}, {"M", 3}}, {{"N", 8}, {"M", 16}}});
  require_same_trace(ahead, program, {{"N", 10}, {"M", 42}});
}

TEST_CASE("inside a tile the loops ahead stay in the tile", "[codegen][prefetch]") {
  const Program program =
      store_in(tiled_neighbours(), "T", "T", {Var("i"), Var("j")}, {Var("i"), Var("j")}, {});
  for (const TracedPrefetch& box :
       prefetches(lowered(prefetch(program, {"T", "i1"}, "in", 2)), {{"N", 8}, {"M", 16}})) {
    const std::int64_t i0 = box.iterators[0], j0 = box.iterators[1], i1 = box.iterators[2];
    CHECK(box.lowers == Point{4 * i0 + i1 + 2, 8 * j0});
    CHECK(box.extents == Point{1, 9});
  }
  CHECK(
      prefetches(lowered(prefetch(program, {"T", "i1"}, "in", 4)), {{"N", 8}, {"M", 16}}).empty());
}

TEST_CASE("boxes are where a layout puts them", "[codegen][prefetch]") {
  Program program =
      store_in(tiled_neighbours(), "T", "T", {Var("i"), Var("j")}, {Var("i"), Var("j")}, {});
  program.layout.store.insert_or_assign(
      "in", AccessRelation(program.session->isl(), "{ in[i, j] -> in[j, i + 1] }"));
  const auto boxes =
      prefetches(lowered(prefetch(program, {"T", "i0"}, "in", 1)), {{"N", 8}, {"M", 16}});
  REQUIRE(boxes.size() == 2);
  CHECK(boxes[0].lowers == Point{0, 4 + 1});
  CHECK(boxes[0].extents == Point{16 + 1, 4});
  CHECK(boxes[1].extents[0] <= 0);  // there is no third tile
}

TEST_CASE("tiles of a parametric size prefetch further in", "[codegen][prefetch]") {
  Program program = with_parameter(grid(), "T", asked);
  program = store_in(program, "S", "S", {Var("i"), Var("j")}, {Var("i"), Var("j")}, {});
  program = prefetch(split(program, {"S", "i"}, Param("T"), "i0", "i1"), {"S", "i1"}, "in", 2);
  const Kernel kernel = lowered(program);
  INFO(to_c_text(kernel));
  const auto boxes = prefetches(kernel, {{"N", 7}, {"M", 3}, {"T", 4}});
  REQUIRE(boxes.size() == 7);
  for (const TracedPrefetch& box : boxes) {
    const std::int64_t i = box.iterators[1], end = std::min<std::int64_t>(4 * (i / 4) + 4, 7);
    if (i + 2 >= end) continue;
    CHECK(box.lowers == Point{i + 2, 0});
    CHECK(box.extents == Point{1, 3});
  }
}

TEST_CASE("what a copy reads is prefetched around the copy", "[codegen][prefetch]") {
  Program program = prefetch(tiled_neighbours(), {"T", "j0"}, "in", 1);
  program = cache_at(program, {"T", "j0"}, "in", "panel", {"r", "c"});
  const auto boxes = prefetches(finished_kernel(program, {"in", "T"}), {{"N", 8}, {"M", 16}});
  REQUIRE(boxes.size() == 2 * 2);
  for (const TracedPrefetch& box : boxes) {
    CHECK(box.buffer == "in");
    CHECK(box.lowers == Point{4 * box.iterators[0], 8 * (box.iterators[1] + 1)});
    CHECK(box.extents == Point{4, 9});
  }
}

TEST_CASE("prefetches are printed and verified", "[codegen][prefetch]") {
  const StmtPtr box = make_stmt(
      PrefetchBox{"x", {parameter("N"), constant(i64, 2)}, {constant(i64, 1), parameter("N")}});
  Kernel kernel;
  kernel.name = "f";
  kernel.parameters = {"N"};
  kernel.buffers = {{"x",
                     f32,
                     Access::read,
                     {constant(i64, 0), constant(i64, 0)},
                     {parameter("N"), parameter("N")}}};
  kernel.body = box;
  CHECK(to_c_text(kernel).find("prefetch x[N : N + 1, 2 : N + 2];") != std::string::npos);
  CHECK(findings(kernel).empty());
  kernel.body = make_stmt(PrefetchBox{"x", {constant(i64, 0)}, {constant(i64, 1)}});
  CHECK(findings(kernel).size() == 1);
  kernel.body = make_stmt(PrefetchBox{"y", {}, {}});
  CHECK(findings(kernel).size() == 1);
}

}  // namespace strata::test::prefetch_test
