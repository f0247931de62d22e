// Full tiles have constant trip counts and neither guards nor minima; partial tiles are correct;
// the code stays small.
#include <algorithm>
#include <functional>

#include "reference/loop_tree_interpreter.h"
#include "tests/unit/codegen/nest.h"
#include "tests/unit/codegen/trace.h"

namespace strata::test::full_tiles_test {

namespace {

const Processor sequential = Processor::sequential, parallel = Processor::parallel,
                vector = Processor::vector, unrolled = Processor::unrolled;

using Extents = std::vector<std::int64_t>;

int count(const std::vector<Extents>& all, const Extents& one) {
  return int(std::count(all.begin(), all.end(), one));
}

const std::string tile_4_8 = "floor(i/4), floor(j/8), i % 4, j % 8";

void require_theta_around_the_tiles(const Program& program) {
  std::vector<Parameters> sizes;
  for (int n : {0, 1, 3, 4, 5, 8, 13})
    for (int m : {0, 1, 7, 8, 9, 16, 19}) sizes.push_back({{"N", n}, {"M", m}});
  require_theta(program, sizes);
}

// C(i, j) = sum over k of A(i, k) * B(k, j), under { C[i, j, k] -> [time] }.
Program matmul(const std::string& time, const std::vector<Processor>& processors) {
  Handmade made({"N", "M", "K"});
  made.input("{ A[i, k] : 0 <= i < N and 0 <= k < K }", f32);
  made.input("{ B[k, j] : 0 <= k < K and 0 <= j < M }", f32);
  const Expr i = variable("i"), j = variable("j"), k = variable("k");
  made.reduce("{ C[i, j, k] : 0 <= i < N and 0 <= j < M and 0 <= k < K }",
              "{ C_init[i, j] : 0 <= i < N and 0 <= j < M }", Reduction::sum,
              access("A", f32, {i, k}) * access("B", f32, {k, j}),
              {"{ C[i, j, k] -> A[i, k] }", "{ C[i, j, k] -> B[k, j] }"},
              "{ C[i, j, k] -> C[i, j] }");
  made.store("{ A[i, k] -> a[i, k] }", BufferRole::input);
  made.store("{ B[k, j] -> b[k, j] }", BufferRole::input);
  made.store("{ C[i, j] -> c[i, j] }", BufferRole::output);
  std::vector<Node> body{made.branch("{ C[i, j, k] -> [" + time + "] }")};
  for (std::size_t d = processors.size(); d-- > 0;)
    body = {Handmade::loop("l" + std::to_string(d), body, processors[d])};
  made.schedule(body);
  return made.program();
}

const std::string tile_8_16 = "floor(i/8), floor(j/16), k, i % 8, j % 16";
const std::string two_levels =
    "floor(i/8), floor(j/16), floor(k/8), floor((i%8)/4), floor((j%16)/8), floor((k%8)/2), i%4, "
    "k%2, j%8";

// The program with the given choice for every loop: "lanes" for vector loops, "loops" for the
// others.
Program with_tails(Program program, TailStrategy loops, TailStrategy lanes) {
  const std::function<void(std::vector<Node>&)> choose = [&](std::vector<Node>& nodes) {
    for (Node& node : nodes) {
      if (!node.is_loop()) continue;
      Loop& loop = node.loop();
      loop.tail = loop.processor == Processor::vector ? lanes : loops;
      choose(loop.body);
    }
  };
  choose(program.mapping.roots);
  return program;
}

}  // namespace

TEST_CASE("a tiled rectangle has one full and two partial copies", "[codegen]") {
  const Program program =
      nest_at(rectangle, tile_4_8, {sequential, sequential, sequential, sequential});
  require_theta_around_the_tiles(program);
  const Kernel kernel = lowered(program);
  const auto extents = extents_around(kernel, "S");
  CHECK(extents.size() == 3);
  CHECK(count(extents, {0, 0, 4, 8}) == 1);
}

TEST_CASE("a kernel with copies for full tiles has a fallback without them", "[codegen]") {
  const std::vector<Processor> processors{parallel, sequential, unrolled, vector};
  const Kernel kernel = lowered(nest_at(rectangle, tile_4_8, processors));
  REQUIRE(kernel.fallback);
  CHECK(count_executes(kernel) > 1);
  CHECK(count_executes(reference::versions(kernel)[1]) == 1);
  const Program one_copy = nest_at(rectangle, "i, j", {parallel, sequential});
  CHECK_FALSE(lowered(one_copy).fallback);
  CHECK_FALSE(lowered(with_tails(nest_at(rectangle, tile_4_8, processors), TailStrategy::guard,
                                 TailStrategy::mask))
                  .fallback);
}

TEST_CASE("a kernel whose arguments have no strides has no fallback", "[codegen]") {
  Handmade made({"N"});
  made.define("{ S[i] : 0 <= i < N }", cast(f32, variable("i")));
  made.store("{ S[i] -> s[] }", BufferRole::output);
  made.schedule({Handmade::loop(
      "i", {Handmade::loop("i1", {made.branch("{ S[i] -> [floor(i/8), i % 8] }")})})});
  const Kernel kernel = lowered(made.program());
  CHECK(count_executes(kernel) > 1);
  CHECK_FALSE(kernel.fallback);
}

TEST_CASE("full tiles hold no guard, minimum or maximum", "[codegen]") {
  const Kernel kernel =
      lowered(nest_at(rectangle, tile_4_8, {sequential, sequential, sequential, sequential}));
  const auto all = loops(kernel);
  REQUIRE(all.size() >= 4);
  for (const For& loop : {all[0], all[1], all[2], all[3]}) {
    CHECK_FALSE(has_min_or_max(loop.lower));
    CHECK_FALSE(has_min_or_max(loop.upper));
  }
  CHECK(all[2].extent == 4);
  CHECK(count_ifs(all[2].body) == 0);
  CHECK(all[3].extent == 8);
}

TEST_CASE("the remainder of a partial tile still runs in full vectors", "[codegen]") {
  const Program program = nest_at(rectangle, tile_4_8, {sequential, sequential, unrolled, vector});
  require_theta_around_the_tiles(program);
  const auto extents = extents_around(lowered(program), "S");
  CHECK(count(extents, {0, 0, 4, 8}) == 1);
  // The last rows of tiles: partial in rows, full in vectors. The outer loop has one iteration.
  CHECK(count(extents, {0, 0, 8}) == 1);
  CHECK(extents.size() <= 5);
}

TEST_CASE("a parallel loop over tiles is one loop with two bodies", "[codegen]") {
  const Program program = nest_at(rectangle, tile_4_8, {parallel, sequential, sequential, vector});
  require_theta_around_the_tiles(program);
  const auto all = loops(lowered(program));
  CHECK(std::count_if(all.begin(), all.end(),
                      [](const For& loop) { return loop.processor == parallel; }) == 1);
  CHECK(count(extents_around(lowered(program), "S"), {0, 0, 4, 8}) == 1);
}

TEST_CASE("a vector loop split from one loop", "[codegen]") {
  const Program program =
      nest_at(rectangle, "i, floor(j/8), j % 8", {sequential, sequential, vector});
  require_theta_around_the_tiles(program);
  const auto extents = extents_around(lowered(program), "S");
  // Full vectors, and the rest of a row, where the loop over vectors has one iteration.
  CHECK(extents == std::vector<Extents>{{0, 0, 8}, {0, 0}});
}

TEST_CASE("tiles inside tiles", "[codegen]") {
  const std::string time = "floor(i/8), floor(j/16), floor((i%8)/4), floor((j%16)/8), i%4, j%8";
  const Program program =
      nest_at(rectangle, time, {parallel, sequential, sequential, sequential, unrolled, vector});
  require_theta_around_the_tiles(program);
  CHECK(count(extents_around(lowered(program), "S"), {0, 0, 2, 2, 4, 8}) == 1);
}

TEST_CASE("tiles of a triangle", "[codegen]") {
  for (const Processor inner : {sequential, vector}) {
    const Program program =
        nest_at("0 <= i <= j < N", tile_4_8, {sequential, sequential, sequential, inner});
    require_theta_around_the_tiles(program);
    CHECK(count(extents_around(lowered(program), "S"), {0, 0, 4, 8}) == 1);
  }
}

TEST_CASE("tiles of constant sizes need no partial copy where none is partial", "[codegen]") {
  const auto extents =
      extents_around(lowered(nest_at("0 <= i < 16 and 0 <= j < 32", tile_4_8,
                                     {sequential, sequential, sequential, vector})),
                     "S");
  CHECK(extents == std::vector<Extents>{{4, 4, 4, 8}});
}

TEST_CASE("what is known of the parameters removes partial tiles", "[codegen]") {
  Handmade made({"N"}, "{ : N % 8 = 0 }");
  made.define("{ S[i] : 0 <= i < N }", cast(f32, variable("i")));
  made.store("{ S[i] -> s[i] }", BufferRole::output);
  made.schedule({Handmade::loop(
      "i", {Handmade::loop("lane", {made.branch("{ S[i] -> [floor(i/8), i % 8] }")}, vector)})});
  CHECK(extents_around(lowered(made.program()), "S") == std::vector<Extents>{{0, 8}});
}

TEST_CASE("two fused statements share full tiles where both run", "[codegen]") {
  Handmade made({"N"});
  made.define("{ A[i] : 0 <= i < N }", cast(f32, variable("i")));
  made.define("{ B[i] : 0 <= i < N - 3 }", cast(f32, variable("i")));
  made.store("{ A[i] -> a[i] }", BufferRole::output);
  made.store("{ B[i] -> b[i] }", BufferRole::output);
  made.schedule(
      {Handmade::loop("i", {Handmade::loop("lane",
                                           {made.branch("{ A[i] -> [floor(i/8), i % 8] }"),
                                            made.branch("{ B[i] -> [floor(i/8), i % 8] }")},
                                           vector)})});
  std::vector<Parameters> sizes;
  for (int n = 0; n < 28; ++n) sizes.push_back({{"N", n}});
  require_theta(made.program(), sizes);
  const auto all = loops(lowered(made.program()));
  REQUIRE(all.size() >= 2);
  CHECK(all[1].extent == 8);
  CHECK(count_ifs(all[1].body) == 0);
}

TEST_CASE("a matmul tiled, vectorized, unrolled and parallel", "[codegen]") {
  const Program program = matmul(tile_8_16, {parallel, sequential, sequential, unrolled, vector});
  std::vector<Parameters> sizes;
  for (int n : {0, 1, 8, 17})
    for (int m : {1, 16, 35})
      for (int k : {0, 1, 3}) sizes.push_back({{"N", n}, {"M", m}, {"K", k}});
  require_theta(program, sizes);
  const Kernel kernel = lowered(program);
  CHECK(count(extents_around(kernel, "C"), {0, 0, 0, 8, 16}) == 1);
  CHECK(count_executes(kernel) <= 2 * 5);
}

TEST_CASE("two levels of tiles in three dimensions stay small", "[codegen]") {
  const Program program =
      matmul(two_levels, {parallel, sequential, sequential, sequential, sequential, sequential,
                          unrolled, sequential, vector});
  std::vector<Parameters> sizes;
  for (int n : {0, 5, 16})
    for (int m : {16, 21})
      for (int k : {0, 9, 16}) sizes.push_back({{"N", n}, {"M", m}, {"K", k}});
  require_theta(program, sizes);
  const Kernel kernel = lowered(program);
  CHECK(count(extents_around(kernel, "C"), {0, 0, 0, 2, 2, 4, 4, 2, 8}) == 1);
  const auto copies = extents_around(kernel, "C").size();
  INFO("copies: " << copies);
  CHECK(copies <= 11);
}

TEST_CASE("the code of a nest stays within the factor of its border", "[codegen]") {
  struct TiledNest {
    std::string time;
    std::vector<Processor> processors;
    int tiled;
  };
  const std::vector<TiledNest> nests{
      {tile_8_16, {parallel, sequential, sequential, unrolled, vector}, 2},
      {"floor(i/8), floor(j/16), floor(k/4), i % 8, k % 4, j % 16",
       {sequential, sequential, sequential, unrolled, sequential, vector},
       3},
      {two_levels,
       {parallel, sequential, sequential, sequential, sequential, sequential, unrolled, sequential,
        vector},
       3}};
  for (const TiledNest& nest : nests) {
    const Program program = matmul(nest.time, nest.processors);
    const auto copies = [&](TailStrategy loops, TailStrategy lanes) {
      return int(extents_around(lowered(with_tails(program, loops, lanes)), "C").size());
    };
    INFO(nest.time);
    CHECK(copies(TailStrategy::automatic, TailStrategy::automatic) <= 3 * nest.tiled + 2);
    CHECK(copies(TailStrategy::separate, TailStrategy::separate) <= nest.tiled + 1);
    CHECK(copies(TailStrategy::separate, TailStrategy::mask) <= nest.tiled + 1);
    CHECK(copies(TailStrategy::guard, TailStrategy::mask) == 1);
  }
  const Program guarded =
      with_tails(matmul(two_levels, nests[2].processors), TailStrategy::guard, TailStrategy::mask);
  std::vector<Parameters> sizes;
  for (int n : {0, 5, 16})
    for (int m : {16, 21}) sizes.push_back({{"N", n}, {"M", m}, {"K", 9}});
  require_theta(guarded, sizes);
  require_theta(with_tails(guarded, TailStrategy::separate, TailStrategy::separate), sizes);
}

TEST_CASE("pieces of a wavefront's rest share a copy where the innermost loop is not over a tile",
          "[codegen]") {
  const std::string wave = "floor(i/4) + floor(j/8), floor(i/4), i % 4, j % 8";
  const std::vector<Processor> tiles{sequential, parallel, sequential, sequential};
  CHECK(count_executes(lowered(nest_at(rectangle, wave, tiles))) == 3);
  Handmade made({"N", "M"});
  made.define("{ S[i, j, k] : " + rectangle + " and 0 <= k < i + M }", cast(f32, variable("k")));
  made.store("{ S[i, j, k] -> s[i, j, k] }", BufferRole::output);
  std::vector<Node> body{made.branch("{ S[i, j, k] -> [" + wave + ", k] }")};
  body = {Handmade::loop("k", body)};
  for (std::size_t d = tiles.size(); d-- > 0;)
    body = {Handmade::loop("l" + std::to_string(d), body, tiles[d])};
  made.schedule(body);
  require_theta_around_the_tiles(made.program());
  CHECK(count_executes(lowered(made.program())) == 2);
}

TEST_CASE("strided tiles are full where no border cuts them", "[codegen]") {
  Handmade made({"N"});
  made.define("{ S[i] : 0 <= i < N and i % 2 = 0 }", cast(f32, variable("i")));
  made.store("{ S[i] -> s[i] }", BufferRole::output);
  made.schedule({Handmade::loop(
      "i", {Handmade::loop("i1", {made.branch("{ S[i] -> [floor(i/8), i % 8] }")}, vector)})});
  std::vector<Parameters> sizes;
  for (int n = 0; n < 20; ++n) sizes.push_back({{"N", n}});
  require_theta(made.program(), sizes);
  CHECK(count(extents_around(lowered(made.program()), "S"), {0, 4}) == 1);
}

TEST_CASE("a partial tile of unrolled vectors runs its whole vectors", "[codegen]") {
  // { i, j } -> [j0, i, j1, lane], 4 vectors of 8 lanes unrolled: the last tile of a row is
  // partial, and the number of its full vectors depends on M.
  const Program program = nest_at(rectangle, "floor(j/32), i, floor((j % 32)/8), j % 8",
                                  {sequential, sequential, unrolled, vector});
  require_theta_around_the_tiles(program);
  std::vector<Parameters> sizes;
  for (int m = 25; m < 75; m += 7) sizes.push_back({{"N", 2}, {"M", m}});
  require_theta(program, sizes);
  const auto extents = extents_around(lowered(program), "S");
  CHECK(count(extents, {0, 0, 4, 8}) == 1);
  CHECK(count(extents, {0, 0, 8}) == 1);  // the outermost loop has one iteration there
}

TEST_CASE("the lanes of a vector loop run the same pieces of the loops inside", "[codegen]") {
  // Tiles of i inside lanes of j: on a triangle, the set of full tiles differs between lanes.
  const std::string time = "floor(j/8), j % 8, floor(i/4), i % 4";
  const std::vector<Processor> processors{sequential, vector, sequential, sequential};
  const Program triangle = nest_at("0 <= i <= j < N", time, processors);
  require_theta_around_the_tiles(triangle);
  CHECK(extents_around(lowered(triangle), "S").size() == 2);  // full and partial vectors
  const auto extents = extents_around(lowered(nest_at(rectangle, time, processors)), "S");
  CHECK(count(extents, {0, 8, 0, 4}) == 1);
}

// Not run by default: prints the seconds of each stage.
TEST_CASE("time of code generation", "[.][time]") {
  StageRun stages("matmul");
  lowered(matmul(tile_8_16, {parallel, sequential, sequential, unrolled, vector}), &stages);
  lowered(matmul(two_levels, {parallel, sequential, sequential, sequential, sequential, sequential,
                              unrolled, sequential, vector}),
          &stages);
  for (const StageTime& time : stages.times())
    WARN(time.stage << ": " << 1e3 * time.seconds << " ms");
}

}  // namespace strata::test::full_tiles_test
