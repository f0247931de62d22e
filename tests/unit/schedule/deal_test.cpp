#include "schedule/commands/launch/deal.h"

#include <map>

#include "reference/executions.h"
#include "schedule/commands/launch/gpu_tile.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/cache_at.h"
#include "tests/unit/codegen/trace.h"
#include "tests/unit/programs.h"

namespace strata::test::deal_test {

namespace {

const std::vector<LoopRef> both{{"copy", "y"}, {"copy", "x"}};

// T(i, j) = in(i, j) + in(i + h, j + h) in blocks of rows x columns threads, which copy what they
// read.
Program copied(int h, int rows, int columns) {
  Var i = range("i", "N"), j = range("j", "M");
  auto program = with_input(empty_program({"N", "M"}), "in", f32,
                            {parameter("N") + h, parameter("M") + h}, asked);
  program = define(program, "T", {i, j}, at("in", {i, j}) + at("in", {i + h, j + h}));
  program.layout.buffers.front().role = BufferRole::input;
  program =
      gpu_tile(program, {{"T", "i"}, {"T", "j"}}, {rows, columns}, {"i0", "j0"}, {"i1", "j1"});
  return cache_at(program, {"T", "j0"}, "in", "copy", {"y", "x"}, Memory::shared);
}

// How often each element is copied: once for each block in whose box it is, around both squares
// that the block reads, if the copy has it, which holds what any block reads.
std::map<Point, int> counted(int h, int rows, int columns, int n, int m) {
  const auto is_read = [&](int y, int x) { return (y < n && x < m) || (y >= h && x >= h); };
  std::map<Point, int> counts;
  for (int i0 = 0; i0 < n; i0 += rows)
    for (int j0 = 0; j0 < m; j0 += columns)
      for (int y = i0; y < std::min(n + h, i0 + rows + h); ++y)
        for (int x = j0; x < std::min(m + h, j0 + columns + h); ++x)
          if (is_read(y, x)) ++counts[{y, x}];
  return counts;
}

std::map<Point, int> traced(const Program& program, int n, int m) {
  Program whole = program;
  LayoutBuffer out{"T", f32, 2, BufferRole::output};
  whole.layout.buffers.push_back(out);
  whole.layout.store.emplace(
      "T", AccessRelation::from(isl::map(program.session->isl(), "{ T[i, j] -> T[i, j] }")));
  std::map<Point, int> counts;
  for (const Traced& one : trace(lowered(whole), {{"N", n}, {"M", m}}))
    if (one.computation == "copy") ++counts[one.instance];
  return counts;
}

// How often each instance of the computation runs.
std::map<Point, int> executed(const Program& program, const std::string& computation,
                              const Parameters& size) {
  const auto number = reference::definition_number(*program.algorithm, computation);
  std::map<Point, int> counts;
  for (const auto& one : reference::executions(program.mapping, *program.algorithm, size))
    if (one.definition == number) ++counts[one.instance];
  return counts;
}

}  // namespace

TEST_CASE("deal runs loops in all threads of the block", "[gpu][deal]") {
  const Program program = deal(copied(2, 16, 16), both);
  CHECK(loops_of(program, "copy") ==
        "i0:block j0:block thread_y:thread thread_x:thread step:unrolled");
  CHECK(loops_of(program, "T") == "i0:block j0:block i1:thread j1:thread");
  // 18 x 18 elements in two steps of 256.
  const isl::map time = branches_of(program.mapping, "copy").front().branch->time;
  const isl::map right(program.session->isl(),
                       "{ copy[y, x] -> [i0, j0, ty, tx, s] : 18*(y - 16*i0) + x - 16*j0 = 256*s + "
                       "16*ty + tx and 0 <= ty < 16 and 0 <= tx < 16 and 0 <= y - 16*i0 < 18 and "
                       "0 <= x - 16*j0 < 18 }");
  CHECK(time.is_subset(right));
  CHECK(time.is_injective());
}

TEST_CASE("the loop named last is dealt to neighbours", "[gpu][deal]") {
  const Program program = deal(copied(2, 16, 16), {both[1], both[0]});
  const isl::map time = branches_of(program.mapping, "copy").front().branch->time;
  CHECK(time.is_subset(isl::map(program.session->isl(),
                                "{ copy[y, x] -> [i0, j0, ty, tx, s] : 18*(x - 16*j0) + y - 16*i0 "
                                "= 256*s + 16*ty + tx }")));
}

TEST_CASE("each element of the footprint is copied once", "[gpu][deal]") {
  struct Case {
    int h, rows, columns;
  };
  // Copies larger than the block, as large, and smaller than it.
  for (const Case& c : {Case{2, 16, 16}, {0, 8, 4}, {3, 1, 8}, {5, 2, 2}}) {
    const Program program = deal(copied(c.h, c.rows, c.columns), both);
    for (const auto& [n, m] : {std::pair{1, 1}, {17, 33}, {5, 40}, {0, 3}}) {
      INFO(c.h << " " << c.rows << " x " << c.columns << " at " << n << " x " << m);
      CHECK(traced(program, n, m) == counted(c.h, c.rows, c.columns, n, m));
    }
  }
  Program outer = copied(2, 16, 16);  // 18 columns on 256 threads
  outer = deal(outer, {{"copy", "x"}});
  CHECK(traced(outer, 17, 33) == counted(2, 16, 16, 17, 33));
}

TEST_CASE("deal leaves a vector inside", "[gpu][deal]") {
  Program program = vectorize(copied(0, 8, 8), {"copy", "x"}, 4, "x4", "lane");
  program = deal(program, {{"copy", "y"}, {"copy", "x4"}});
  CHECK(loops_of(program, "copy") ==
        "i0:block j0:block thread_y:thread thread_x:thread step:unrolled lane:vector");
}

TEST_CASE("deal leaves a copy inside that each iteration has for itself", "[gpu][deal]") {
  const Var i = range("i", "N"), j = range("j", "M");
  Program p = with_input(empty_program({"N", "M"}), "in", f32,
                         {parameter("N") + 2, parameter("M") + 2}, asked);
  p = define(p, "S", {i, j}, at("in", {i, j}) + at("in", {i + 2, j + 2}));
  p = define(p, "T", {i, j}, at("S", {i, j}));
  p = gpu_tile(p, {{"T", "i"}, {"T", "j"}}, {8, 8}, {"i0", "j0"}, {"i1", "j1"});
  p = compute_at(p, "S", {{"T", "j0"}});
  p = cache_at(p, {"S", "j"}, "in", "own", {"y", "x"}, Memory::local);
  p = deal(p, {{"S", "i"}, {"S", "j"}});
  CHECK(loops_of(p, "S") == "i0:block j0:block thread_y:thread thread_x:thread step:unrolled");
  CHECK(loops_of(p, "own") ==
        "i0:block j0:block thread_y:thread thread_x:thread step:unrolled y x");
}

// An iteration i of S reads row i of the copy and its diagonal: two pieces of what it has copied.
TEST_CASE("deal adds nothing to a copy that its iterations make for themselves", "[gpu][deal]") {
  const Var i = range("i", "N"), j = range("j", "N");
  Program p = with_input(empty_program({"N"}), "in", f32, {parameter("N"), parameter("N")}, asked);
  p = define(p, "S", {i, j}, at("in", {i, j}) + at("in", {j, j}));
  p = define(p, "T", {i}, at("S", {i, 0}));
  p = gpu_tile(p, {{"T", "i"}}, {2}, {"i0"}, {"i1"});
  p = cache_at(p, {"S", "i"}, "in", "own", {"y", "x"}, Memory::local);
  p = compute_at(p, "S", {{"T", "i0"}});
  const Program dealt = deal(p, {{"S", "i"}});
  CHECK(loops_of(dealt, "S") == "i0:block thread_x:thread step:unrolled j");
  for (const int n : {1, 2, 5}) {
    const Parameters size{{"N", n}};
    CHECK(executed(dealt, "own", size) == executed(p, "own", size));
  }
}

TEST_CASE("deal_own_loops gives neighbours to the dense dimension", "[gpu][deal]") {
  // T(i, j) = in(j, i): the copy's loops run over in's rows, and along them.
  Var i = range("i", "N"), j = range("j", "M");
  auto program =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("M"), parameter("N")}, asked);
  program = define(program, "T", {i, j}, at("in", {j, i}));
  program = gpu_tile(program, {{"T", "i"}, {"T", "j"}}, {8, 4}, {"i0", "j0"}, {"i1", "j1"});
  program = cache_at(program, {"T", "j0"}, "in", "copy", {"y", "x"}, Memory::shared);
  program = deal_own_loops(program, "copy");
  const isl::map time = branches_of(program.mapping, "copy").front().branch->time;
  CHECK(time.is_subset(isl::map(program.session->isl(),
                                "{ copy[y, x] -> [i0, j0, ty, tx, s] : 8*(y - 4*j0) + x - 8*i0 = "
                                "32*s + 4*ty + tx }")));
}

TEST_CASE("deal says what it cannot do", "[gpu][deal]") {
  const auto explanation = [](const auto& act) { return refusal_of(act).explanation; };
  CHECK(explanation([] { deal(grid(), {{"S", "i"}}); }) == "loop i is in no block");
  CHECK(explanation([] { deal(copied(2, 16, 16), {{"T", "j1"}}); }) == "loop j1 is thread already");
  CHECK(explanation([] {
          Program p = copied(2, 16, 16);
          p = cache_at(p, {"T", "j1"}, "copy", "own", {"a", "b"});
          deal(p, {{"own", "a"}});
        }) == "loop a is inside of the thread loop i1, so one thread runs all of its iterations");
  CHECK(refusal_of([] { deal(copied(2, 16, 16), {both[0], both[0]}); }).code ==
        Code::E0106_bad_argument);
  CHECK(refusal_of([] { deal(copied(2, 16, 16), {{"copy", "z"}}); }).code ==
        Code::E0102_unknown_loop);
}

}  // namespace strata::test::deal_test
