// Launches: the loops over blocks and threads have one range each, and guards inside.
#include <set>

#include "codegen/tree/verify_loop_tree.h"
#include "core/expr/expr_text.h"
#include "schedule/commands/launch/gpu.h"
#include "schedule/commands/launch/gpu_blocks.h"
#include "schedule/commands/launch/gpu_threads.h"
#include "schedule/commands/launch/min_blocks.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/order/after.h"
#include "schedule/finish.h"
#include "tests/unit/codegen/nest.h"
#include "tests/unit/codegen/trace.h"
#include "tests/unit/programs.h"

namespace strata::test::launches_test {

namespace {

using P = Processor;

const std::string tiles = "floor(i/4), floor(j/8), i % 4, j % 8";
const std::vector<Processor> grid_of_tiles{P::block, P::block, P::thread, P::thread};

std::vector<Parameters> sizes() {
  std::vector<Parameters> all;
  for (int n : {0, 1, 3, 4, 9})
    for (int m : {0, 1, 8, 17}) all.push_back({{"N", n}, {"M", m}});
  return all;
}

void find_launches(const StmtPtr& s, std::vector<Launch>& found) {
  if (const auto* launch = std::get_if<Launch>(s.get())) found.push_back(*launch);
  for_each_inside(*s, [&](const StmtPtr& inside) { find_launches(inside, found); });
}

std::vector<Launch> launches(const Program& program) {
  std::vector<Launch> found;
  find_launches(lowered(program).body, found);
  return found;
}

}  // namespace

TEST_CASE("a launch runs every instance once, at any size", "[gpu][codegen]") {
  require_theta(nest_at(rectangle, tiles, grid_of_tiles), sizes());
  require_theta(nest_at(rectangle, "i, floor(j/8), j % 8", {P::sequential, P::block, P::thread}),
                sizes());
  require_theta(nest_at(rectangle, "floor(i/4), j, i % 4", {P::block, P::sequential, P::thread}),
                sizes());
  require_theta(nest_at("0 <= j <= i < N and i < 6", "floor(j/2), i, j % 2",
                        {P::block, P::thread, P::thread}),
                sizes());
}

TEST_CASE("a grid and a block are boxes", "[gpu][codegen]") {
  const auto all = launches(nest_at(rectangle, tiles, grid_of_tiles));
  REQUIRE(all.size() == 1);
  CHECK(all[0].threads == std::vector<std::int64_t>{8, 4});
  REQUIRE(all[0].grid.size() == 2);
  CHECK(to_text(all[0].grid[0]) == "(M + 7) / 8");
  CHECK(to_text(all[0].grid[1]) == "(N + 3) / 4");
  // A triangle in a block: the threads of the longest row, with a condition.
  const auto triangle =
      launches(nest_at("0 <= j <= i < N and i < 6", "i, j", {P::block, P::thread}));
  REQUIRE(triangle.size() == 1);
  CHECK(triangle[0].threads == std::vector<std::int64_t>{6});
}

TEST_CASE("threads begin at the least iteration where that is not a bound of the loop",
          "[gpu][codegen]") {
  const std::vector<std::pair<std::string, std::int64_t>> cases{
      {"i >= M and i <= j < i + 3 or i < M and M <= j < M + 4", 4},
      {"2 i >= M and i <= j < i + 5 or 3 i < M and M - i <= j < M - i + 3", 5}};
  for (const auto& [condition, threads] : cases) {
    const Program program =
        nest_at("0 <= i < N and M >= 0 and (" + condition + ")", "i, j", {P::block, P::thread});
    const auto all = launches(program);
    REQUIRE(all.size() == 1);
    CHECK(all[0].threads == std::vector<std::int64_t>{threads});
    require_theta(program, sizes());
  }
}

// for t < N: the points with i + j even, in tiles of T x U whose columns, and rows inside, are
// blocks.
TEST_CASE("blocks inside of tiles of parametric sizes are those of all tiles", "[gpu][codegen]") {
  const LoopRef i{"S", "i"}, j{"S", "j"};
  Program p = with_parameter(with_parameter(empty_program({"N", "M"}), "T", asked), "U", asked);
  NewDefinition even;
  even.array = "S";
  even.domain = "[N, M] -> { S[i, j] : (i + j) mod 2 = 0 and 0 <= i < N and 0 <= j < M }";
  even.value = constant(f32, 1);
  p = with_definition(p, even, asked);
  p = tile(p, {i, j}, {Param("T"), Param("U")});
  p = gpu_blocks(gpu_blocks(p, {{"S", "i_in"}}), {j});
  p.layout.buffers.push_back({"S", f32, 2, BufferRole::output});
  p.layout.store.emplace(
      "S", AccessRelation::from(isl::map(p.session->isl(), "{ S[i, j] -> S[i, j] }")));
  const Kernel kernel = lowered(p);
  CHECK(findings(kernel).empty());  // no extent names a block
  for (const auto& [n, m] : {std::pair{0, 3}, {1, 1}, {5, 4}, {7, 9}})
    for (const auto& [t, u] : {std::pair{1, 1}, {2, 3}, {4, 16}}) {
      INFO(n << " x " << m << " in tiles of " << t << " x " << u);
      std::set<Point> all;
      for (const Traced& one : trace(kernel, {{"N", n}, {"M", m}, {"T", t}, {"U", u}}))
        CHECK(all.insert(one.instance).second);
      CHECK(int(all.size()) == (n * m + 1) / 2);
    }
}

TEST_CASE("a launch prints as in CUDA", "[gpu][codegen]") {
  CHECK(to_c_text(lowered(nest_at(rectangle, tiles, grid_of_tiles))) ==
        R"(// written s[0 : N, 0 : M]
handmade(int64 N, int64 M, float32 s) {
  if (N >= 1 && M >= 1) {
    launch l0<<<dim3((M + 7) / 8, (N + 3) / 4), dim3(8, 4)>>> {
      l0 = blockIdx.y;
      l1 = blockIdx.x;
      l2 = threadIdx.y;
      if (N >= 4 * l0 + l2 + 1) {
        l3 = threadIdx.x;
        if (M >= 8 * l1 + l3 + 1) {
          s[4 * l0 + l2, 8 * l1 + l3] = cast(float32, 4 * l0 + l2 - (8 * l1 + l3));  // S(4 * l0 + l2, 8 * l1 + l3)
        }
      }
    }
  }
  if (N >= 1 && M >= 1) {
    copy s to the host;
  }
}
)");
  CHECK(to_c_text(lowered(nest_at(rectangle, "i, j", {P::block, P::sequential}))) ==
        R"(// written s[0 : N, 0 : M]
handmade(int64 N, int64 M, float32 s) {
  if (N >= 1 && M >= 1) {
    launch l0<<<dim3(N), dim3(1)>>> {
      l0 = blockIdx.x;
      for l1 in 0 .. M {
        s[l0, l1] = cast(float32, l0 - l1);  // S(l0, l1)
      }
    }
  }
  if (N >= 1 && M >= 1) {
    copy s to the host;
  }
}
)");
}

TEST_CASE("what few threads of a block run is printed under a condition", "[gpu][codegen]") {
  const Var i = range("i", "N"), j("j", 0, 8), k("k", 0, 5), h("h", 0, 2);
  Program p = define(empty_program({"N"}), "P", {i}, cast(f32, i + 0));
  p = define(p, "Q", {i, h, j}, cast(f32, j + 0));
  p = define(p, "R", {i, k}, cast(f32, k + 0));
  p = after(after(p, "Q", "P", "i"), "R", "Q", "i");
  p = min_blocks(gpu_threads(gpu(p, {{"Q", "i"}}, {{"R", "k"}}), {{"Q", "h"}, {"Q", "j"}}),
                 {"P", "i"}, 2);
  p = finished(p, {"P", "Q", "R"}, {});
  CHECK(to_c_text(lowered(p)) == R"(// written P[0 : N]
// written Q[0 : N, 0 : 2, 0 : 8]
// written R[0 : N, 0 : 5]
f(int64 N, float32 P, float32 Q, float32 R) {
  if (N >= 1) {
    launch i<<<dim3(N), dim3(8, 2)>>> {
      i = blockIdx.x; /* min_blocks 2 */
      if (threadIdx.y == 0 && threadIdx.x == 0) {
        P[i] = cast(float32, i + 0);  // P(i)
      }
      h = threadIdx.y;
      j = threadIdx.x;
      Q[i, h, j] = cast(float32, j + 0);  // Q(i, h, j)
      k = threadIdx.x;
      if (threadIdx.y == 0 && threadIdx.x < 5) {
        R[i, k] = cast(float32, k + 0);  // R(i, k)
      }
    }
  }
  if (N >= 1) {
    copy P to the host;
  }
  if (N >= 1) {
    copy Q to the host;
  }
  if (N >= 1) {
    copy R to the host;
  }
}
)");
}

TEST_CASE("a step of a host loop is a launch", "[gpu][codegen]") {
  const Program steps =
      nest_at(rectangle, "i, floor(j/8), j % 8", {P::sequential, P::block, P::thread});
  const auto found = launches(steps);
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "l1");
  const std::vector<For> all = loops(lowered(steps));
  REQUIRE(all.size() == 3);
  CHECK(all[0].processor == P::sequential);
}

TEST_CASE("all threads of a block run either full tiles or guarded ones", "[gpu][codegen]") {
  // A thread has 4 rows, unrolled, of a block of 4 x 8.
  const Program rows = nest_at(rectangle, "floor(i/16), floor(j/8), floor(i/4) % 4, j % 8, i % 4",
                               {P::block, P::block, P::thread, P::thread, P::unrolled});
  require_theta(
      rows,
      {{{"N", 0}, {"M", 3}}, {{"N", 16}, {"M", 8}}, {{"N", 37}, {"M", 17}}, {{"N", 3}, {"M", 3}}});
  const auto found = launches(rows);
  REQUIRE(found.size() == 1);
  // In both versions the unrolled loop has a constant number of steps; in one without a guard.
  std::vector<int> guards;
  for (const For& loop : loops(lowered(rows)))
    if (loop.processor == P::unrolled) {
      CHECK(loop.extent == 4);
      guards.push_back(count_ifs(loop.body));
    }
  CHECK(guards == std::vector<int>{0, 1});
  // Both stand under conditions on the block alone.
  int threads = 0;
  for (const For& loop : loops(lowered(rows))) threads += loop.processor == P::thread;
  CHECK(threads == 4);
}

TEST_CASE("a uniform loop is split into full and other steps", "[gpu][codegen]") {
  const Program steps = nest_at(rectangle, "floor(i/4), floor(j/4), i % 4, j % 4",
                                {P::block, P::sequential, P::thread, P::unrolled});
  require_theta(steps, sizes());
  std::vector<int> guards;
  for (const For& loop : loops(lowered(steps)))
    if (loop.processor == P::unrolled) guards.push_back(count_ifs(loop.body));
  // In full blocks: full steps, and others; in other blocks all steps.
  CHECK(guards == std::vector<int>{0, 1, 1});
}

TEST_CASE("R607: all threads of a block pass a barrier", "[gpu][codegen][barriers]") {
  const Expr zero = constant(i64, 0), four = constant(i64, 4);
  const auto found = [&](const StmtPtr& body) {
    Kernel kernel;
    kernel.name = "f";
    kernel.body = body;
    const auto all = findings(kernel);
    return all.empty() ? "" : all.front();
  };
  const auto loop = [&](const std::string& name, Processor processor, const StmtPtr& body) {
    return make_stmt(For{{name, processor}, name, zero, four, 4, body});
  };
  const auto launch = [&](const StmtPtr& body) {
    return make_stmt(Launch{"b", {four}, {4}, loop("b", P::block, body)});
  };
  const StmtPtr barrier = make_stmt(Barrier{});
  CHECK(found(launch(barrier)) == "");
  CHECK(found(launch(loop("k", P::unrolled, barrier))) == "");
  CHECK(found(barrier) == "R607 in a barrier: outside of all launches");
  for (const Processor processor : {P::thread, P::vector})
    CHECK(found(launch(loop("t", processor, loop("k", P::sequential, barrier)))) ==
          "R607 in a barrier: in the loop t, of which a thread runs a part");
  CHECK(found(launch(make_stmt(ThreadGuard{{1}, barrier}))) ==
        "R607 in a barrier: where a guard leaves threads out");
}

TEST_CASE("R607: a thread runs its own iteration", "[gpu][codegen]") {
  const Expr zero = constant(i64, 0), four = constant(i64, 4);
  const auto found = [&](const std::vector<std::int64_t>& threads, const StmtPtr& body) {
    Kernel kernel;
    kernel.name = "f";
    kernel.buffers = {{"out", i64, Access::written, {zero}, {four}}};
    const For blocks{{"b", P::block}, "b", zero, four, 4, body};
    kernel.body = make_stmt(Launch{"b", {four}, threads, make_stmt(blocks)});
    const auto all = findings(kernel);
    return all.empty() ? "" : all.front();
  };
  const auto in_threads = [&](const StmtPtr& body) {
    return make_stmt(For{{"t", P::thread}, "t", zero, four, 4, body});
  };
  const auto guarded = [](const std::vector<std::int64_t>& counts, const StmtPtr& body) {
    return make_stmt(ThreadGuard{counts, body});
  };
  const StmtPtr store = make_stmt(Execute{"S", {zero}, "out", {zero}, zero});
  const std::string repeated =
      "R607 in the execution of S: threads that have no iteration of it run it";
  CHECK(found({1}, store) == "");
  CHECK(found({4}, store) == repeated);
  CHECK(found({4}, guarded({1}, store)) == "");
  CHECK(found({4}, in_threads(store)) == "");
  CHECK(found({8}, in_threads(store)) == repeated);
  CHECK(found({8}, in_threads(guarded({4}, store))) == "");
  CHECK(found({4, 2}, in_threads(store)) == repeated);
  CHECK(found({4, 2}, in_threads(guarded({4, 1}, store))) == "");
  CHECK(found({4, 2}, in_threads(guarded({4}, store))) ==
        "R607 in a guard of threads: in no launch with these axes");
}

}  // namespace strata::test::launches_test
