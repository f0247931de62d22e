// The loop tree compared with Theta: the same executions, in the same order, in the same loops.
#include <random>

#include "tests/unit/codegen/trace.h"

namespace strata::test::loops_test {

namespace {

const Processor parallel = Processor::parallel, vector = Processor::vector,
                unrolled = Processor::unrolled;

// One definition S over "domain", stored at its own coordinates.
Handmade one(const std::vector<std::string>& parameters, const std::string& domain) {
  Handmade made(parameters);
  made.define(domain, cast(f32, variable("i")));
  const Algorithm& algorithm = made.algorithm();
  made.store(algorithm.definitions[0].iterators.size() == 1 ? "{ S[i] -> s[i] }"
                                                            : "{ S[i, j] -> s[i, j] }",
             BufferRole::output);
  return made;
}

// { S[i, j] -> [..] } under loops of these names and processors, outermost first.
struct Around {
  std::string name;
  Processor processor = Processor::sequential;
};
Node nested(const std::vector<Around>& loops, std::vector<Node> body) {
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop)
    body = {Handmade::loop(loop->name, std::move(body), loop->processor)};
  return body[0];
}

void require_theta_at_sizes(const Program& program) {
  std::vector<Parameters> sizes;
  for (int size : {-1, 0, 1, 2, 3, 7, 8, 9, 16, 17, 33}) sizes.push_back({{"N", size}});
  require_theta(program, sizes);
}

}  // namespace

TEST_CASE("a rectangle runs in the order of its schedule", "[codegen]") {
  Handmade made = one({"N"}, "{ S[i, j] : 0 <= i < N and 0 <= j < 5 }");
  made.schedule({nested({{"j", parallel}, {"i"}}, {made.branch("{ S[i, j] -> [j, i] }")})});
  require_theta_at_sizes(made.program());
  const auto all = loops(lowered(made.program()));
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "j");
  CHECK(all[0].processor == parallel);
  CHECK(all[0].extent == 5);
  CHECK(all[1].name == "i");
  CHECK(all[1].processor == Processor::sequential);
  CHECK_FALSE(all[1].extent);
}

TEST_CASE("loops of the tree have the names and tags of the mapping's loops", "[codegen]") {
  Handmade made = one({"N"}, "{ S[i, j] : 0 <= i < N and 0 <= j < 8 }");
  made.schedule({nested({{"i", parallel}, {"j", vector}}, {made.branch("{ S[i, j] -> [i, j] }")})});
  Program program = made.program();
  Loop& outer = program.mapping.roots.front().loop();
  Loop& inner = outer.body.front().loop();
  outer.tail = TailStrategy::guard;
  inner.tail = TailStrategy::mask;
  const std::vector<For> all = loops(lowered(program));
  REQUIRE(all.size() == 2);
  CHECK(static_cast<const LoopTags&>(all[0]) == outer);
  CHECK(static_cast<const LoopTags&>(all[1]) == inner);
}

// isl generates a second loop inside the first for this.
TEST_CASE("iterations of which isl does not see that they are single", "[codegen]") {
  Handmade made =
      one({"N", "M", "K"},
          "{ S[i] : -K + 3N + 2M + 3 <= 19i <= -K + 3N + 2M + 20 and i <= 3K - M + 6; "
          "S[i] : 10K + 3N - 2M + 5 <= 14i <= 10K + 3N - 2M + 16 and 7i <= 3K + 2N - 3 and "
          "-8i <= 2K + 2N - 2M + 9; "
          "S[i] : 12K - 3N + 3M + 4 <= 14i <= 12K - 3N + 3M + 5 and 7i <= -5K + 4N + M }");
  made.schedule({nested({{"t"}}, {made.branch("{ S[i] -> [i] }")})});
  std::vector<Parameters> sizes;
  for (int n : {-3, 0, 1, 2, 9, 20})
    for (int m : {-2, 1, 4, 11})
      for (int k : {0, 1, 2, 5, 13}) sizes.push_back({{"N", n}, {"M", m}, {"K", k}});
  Program program = made.program();
  program.session->set_budget(400'000'000);
  require_theta(program, sizes);
}

TEST_CASE("a strided domain that tiles cut makes no more copies than one without strides",
          "[codegen]") {
  const auto copies = [](const std::string& stride) {
    Handmade made = one({"N"}, "{ S[i, j] : 0 <= i < N and i <= 2j < i + N" + stride + " }");
    made.schedule(
        {nested({{"i0"}, {"j0"}, {"i1"}, {"j1"}},
                {made.branch("{ S[i, j] -> [floor(i/4), floor(j/4), i mod 4, j mod 4] }")})});
    require_theta_at_sizes(made.program());
    return count_executes(lowered(made.program()));
  };
  CHECK(copies(" and (i + j) mod 2 = 0") <= copies(""));
}

TEST_CASE("reversed, shifted and skewed loops", "[codegen]") {
  Handmade made = one({"N"}, "{ S[i, j] : 0 <= i < N and 0 <= j < 6 }");
  for (const char* time :
       {"{ S[i, j] -> [-i, j] }", "{ S[i, j] -> [i + 3, N - j] }", "{ S[i, j] -> [i + j, j] }",
        "{ S[i, j] -> [2i + 3j, j - i] }", "{ S[i, j] -> [2i, 3j + 1] }"}) {
    made.schedule({nested({{"x"}, {"y"}}, {made.branch(time)})});
    require_theta_at_sizes(made.program());
  }
}

TEST_CASE("triangles, strides and holes", "[codegen]") {
  for (const char* domain :
       {"{ S[i, j] : 0 <= i <= j < N }", "{ S[i, j] : 0 <= j < i < N }",
        "{ S[i, j] : 0 <= i < N and 0 <= j < N and i % 2 = 0 }",
        "{ S[i, j] : 0 <= i < N and 0 <= j < N and (i + j) % 3 = 1 }",
        "{ S[i, j] : 0 <= i < N and 0 <= j < N and (i = 0 or i = N - 1 or j = 0) }",
        "{ S[i, j] : (0 <= i < 3 or 10 <= i < N) and i <= j < i + 4 }",
        "{ S[i, j] : 0 <= i < N and 2i <= 3j <= 2i + 20 }"}) {
    for (const Processor processor : {Processor::sequential, parallel}) {
      Handmade made = one({"N"}, domain);
      made.schedule({nested({{"i", processor}, {"j"}}, {made.branch("{ S[i, j] -> [i, j] }")})});
      require_theta_at_sizes(made.program());
    }
  }
}

TEST_CASE("a strided loop has step one", "[codegen]") {
  Handmade made = one({"N"}, "{ S[i] : 0 <= i < 20 and i % 4 = 3 }");
  const auto all = loops(lowered(made.program()));
  REQUIRE(all.size() == 1);
  CHECK(all[0].extent == 5);
}

TEST_CASE("a parallel loop is one loop whatever its domain", "[codegen]") {
  Handmade made = one({"N"}, "{ S[i] : 0 <= i < 10 or 20 <= i < N }");
  made.schedule({nested({{"i", parallel}}, {made.branch("{ S[i] -> [i] }")})});
  require_theta_at_sizes(made.program());
  CHECK(loops(lowered(made.program())).size() == 1);
}

TEST_CASE("loops of one iteration get no node and shift no tags", "[codegen]") {
  Handmade made = one({"N"}, "{ S[i, j] : i = 7 and 0 <= j < N }");
  made.schedule({nested({{"i", parallel}, {"z", unrolled}, {"j", vector}},
                        {made.branch("{ S[i, j] -> [i, 0, j] }")})});
  require_theta_at_sizes(made.program());
  const auto all = loops(lowered(made.program()));
  REQUIRE(all.size() == 1);
  CHECK(all[0].name == "j");
  CHECK(all[0].processor == vector);
}

TEST_CASE("a loop of one iteration for some parameters keeps its tag", "[codegen]") {
  Handmade made = one({"N", "M"}, "{ S[i, j] : N <= i <= N and 0 <= j < M }");
  made.schedule({nested({{"i", parallel}, {"j", vector}}, {made.branch("{ S[i, j] -> [i, j] }")})});
  require_theta(made.program(), {{{"N", 3}, {"M", 4}}});
}

TEST_CASE("statements at mixed depth share only the loops of the mapping", "[codegen]") {
  Handmade made({"N"});
  made.define("{ A[i] : 0 <= i < N }", cast(f32, variable("i")));
  made.define("{ B[i, j] : 0 <= i < N and 0 <= j <= i }", cast(f32, variable("j")));
  made.define("{ C[i] : 0 <= i < N }", cast(f32, variable("i")));
  made.define("{ D[] }", Expr(1.0f));
  made.store("{ A[i] -> a[i] }", BufferRole::output);
  made.store("{ B[i, j] -> b[i, j] }", BufferRole::output);
  made.store("{ C[i] -> c[i] }", BufferRole::output);
  made.store("{ D[] -> d[] }", BufferRole::output);
  made.schedule({made.branch("{ D[] -> [] }"),
                 Handmade::loop("i", {made.branch("{ A[i] -> [i] }"),
                                      Handmade::loop("j", {made.branch("{ B[i, j] -> [i, j] }")}),
                                      made.branch("{ C[i] -> [i] }")})});
  require_theta_at_sizes(made.program());
}

TEST_CASE("loops with different static prefixes are never merged", "[codegen]") {
  Handmade made({"N"});
  made.define("{ A[i] : 0 <= i < N }", cast(f32, variable("i")));
  made.define("{ B[i] : 0 <= i < N }", cast(f32, variable("i")));
  made.store("{ A[i] -> a[i] }", BufferRole::output);
  made.store("{ B[i] -> b[i] }", BufferRole::output);
  made.schedule({nested({{"i", parallel}}, {made.branch("{ A[i] -> [i] }")}),
                 nested({{"i"}}, {made.branch("{ B[i] -> [i] }")})});
  require_theta_at_sizes(made.program());
  const auto all = loops(lowered(made.program()));
  REQUIRE(all.size() == 2);
  CHECK(all[0].processor == parallel);
  CHECK(all[1].processor == Processor::sequential);
  CHECK(all[0].variable != all[1].variable);
}

TEST_CASE("fused statements with different domains", "[codegen]") {
  Handmade made({"N"});
  made.define("{ A[i] : 0 <= i < N }", cast(f32, variable("i")));
  made.define("{ B[i] : 2 <= i < N + 3 }", cast(f32, variable("i")));
  made.store("{ A[i] -> a[i] }", BufferRole::output);
  made.store("{ B[i] -> b[i] }", BufferRole::output);
  auto program = [&](Processor processor) {
    made.schedule({nested({{"i", processor}},
                          {made.branch("{ A[i] -> [i] }"), made.branch("{ B[i] -> [i] }")})});
    return made.program();
  };
  require_theta_at_sizes(program(Processor::sequential));
  require_theta_at_sizes(program(parallel));
  require_theta_at_sizes(program(vector));

  // A loop for each case, without conditions: A alone, A and B, A alone for N < 3, B alone.
  const Kernel split = lowered(program(Processor::sequential));
  CHECK(loops(split).size() == 4);
  for (const For& loop : loops(split)) CHECK(count_ifs(loop.body) == 0);
  CHECK(loops(lowered(program(parallel))).size() == 1);
}

TEST_CASE("one definition in several branches", "[codegen]") {
  Handmade made = one({"N"}, "{ S[i] : 0 <= i < N }");
  made.schedule(
      {nested({{"late"}}, {made.branch("{ S[i] -> [-i] }", "{ S[i] : i >= 5 }")}),
       nested({{"early", parallel}}, {made.branch("{ S[i] -> [i] }", "{ S[i] : i < 5 }")})});
  require_theta_at_sizes(made.program());
}

TEST_CASE("an instance that runs at several times", "[codegen]") {
  Handmade made({"N"});
  made.define("{ P[i] : 0 <= i < N + 2 }", cast(f32, variable("i")));
  made.define("{ C[i] : 0 <= i < N }", access("P", f32, {variable("i") + 2}),
              {"{ C[i] -> P[i + 2] }"});
  made.store("{ P[i] -> p[i] }");
  made.store("{ C[i] -> c[i] }", BufferRole::output);
  const std::string needed = "0 <= i < N + 2 and 4t <= i < 4t + 6 and 0 <= 4t < N and i < N + 2";
  made.schedule({Handmade::loop(
      "t", {Handmade::loop("p", {made.branch("{ P[i] -> [t, i] : " + needed + " }")}),
            Handmade::loop("c", {made.branch("{ C[i] -> [floor(i/4), i % 4] }")})})});
  require_theta_at_sizes(made.program());
}

TEST_CASE("nothing runs", "[codegen]") {
  Handmade made = one({"N"}, "{ S[i] : 0 <= i < N and N < 0 }");
  CHECK(trace(lowered(made.program()), {{"N", 5}}).empty());
}

TEST_CASE("two instances at one time are refused", "[codegen]") {
  Handmade made = one({"N"}, "{ S[i] : 0 <= i < N }");
  made.schedule({nested({{"i"}}, {made.branch("{ S[i] -> [0] }")})});
  CHECK_THROWS_WITH(lowered(made.program()),
                    Catch::Contains("E0203") && Catch::Contains("two instances of S"));
}

TEST_CASE("an unbounded loop is refused", "[codegen]") {
  Handmade made = one({"N"}, "{ S[i] : 0 <= i }");
  CHECK_THROWS_AS(lowered(made.program()), Error);
}

TEST_CASE("out of budget is an error, not a hang", "[codegen]") {
  Handmade made = one({"N"}, "{ S[i, j] : 0 <= i <= j < N }");
  const Program program = made.program();
  program.session->set_budget(100);
  CHECK_THROWS_WITH(lowered(program), Catch::Contains("E0901"));
  program.session->set_budget(Session::default_budget);
  CHECK_NOTHROW(lowered(program));
}

// Random domains, tilings and tags: Theta must hold for any separation of tiles.
TEST_CASE("random tiled schedules", "[codegen]") {
  const std::vector<std::string> domains{"0 <= i < N and 0 <= j < M",
                                         "0 <= i <= j < N",
                                         "0 <= i < N and i - 3 <= j < i + M",
                                         "0 <= i < N and 0 <= j < M and (i + j) % 2 = 0",
                                         "1 <= i < N and 0 <= j < M and (j < 4 or i > 6)",
                                         "0 <= i < 19 and 0 <= j < 2i - N"};
  std::mt19937 random(20240607);
  auto pick = [&](int n) { return int(random() % unsigned(n)); };
  for (int round = 0; round < 60; ++round) {
    Handmade made = one({"N", "M"}, "{ S[i, j] : " + domains[std::size_t(pick(6))] + " }");
    const std::string a = std::to_string(2 + pick(7)), b = std::to_string(2 + pick(7));
    const std::vector<std::string> times{
        "floor(i/" + a + "), floor(j/" + b + "), i % " + a + ", j % " + b,
        "floor(j/" + b + "), i, j % " + b, "i, floor(j/" + b + "), j % " + b,
        "floor((i+j)/" + a + "), floor(j/" + b + "), (i+j) % " + a + ", j % " + b,
        "floor(i/12), floor(j/12), floor((i%12)/" + a + "), floor((j%12)/" + b + "), (i%12)%" + a +
            ", (j%12)%" + b};
    const auto& time = times[std::size_t(pick(5))];
    std::vector<Around> around;
    const int depth = 1 + int(std::count(time.begin(), time.end(), ','));
    for (int d = 0; d < depth; ++d)
      around.push_back({"l" + std::to_string(d), d == depth - 1 && pick(2) ? vector
                                                 : pick(4) == 0            ? parallel
                                                 : pick(4) == 0            ? unrolled
                                                                : Processor::sequential});
    made.schedule({nested(around, {made.branch("{ S[i, j] -> [" + time + "] }")})});
    INFO(time);
    require_theta(made.program(), {{{"N", pick(20)}, {"M", pick(20)}},
                                   {{"N", pick(40)}, {"M", pick(10)}},
                                   {{"N", 24}, {"M", 24}}});
  }
}

}  // namespace strata::test::loops_test
