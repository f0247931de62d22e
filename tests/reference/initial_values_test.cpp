// The judge's own derivation of when initial values run.
#include <catch2/catch.hpp>

#include "reference/executions.h"
#include "reference/handmade.h"
#include "reference/initial_values.h"

namespace strata::test::initial_values_test {

using reference::Handmade;

namespace {

const Expr i = variable("i"), k = variable("k");

Node under(const std::string& name, Node node, Processor processor = Processor::sequential) {
  return Handmade::loop(name, {std::move(node)}, processor);
}

// S(i) = sum over k of 1, on M x N.
Handmade sums() {
  return Handmade({"N", "M", "T"})
      .reduce("{ S[i, k] : 0 <= i < M and 0 <= k < N }", "{ S_init[i] : 0 <= i < M }",
              Reduction::sum, constant(i32, 1), {}, "{ S[i, k] -> S[i] }");
}

// The executions of S_init where M = 2, and the loops around them: "[0, 0, 0] i".
std::vector<std::string> initial(const Handmade& made, std::int64_t n = 2) {
  const Program program = made.program();
  const Mapping mapping = reference::with_initial_values(program);
  std::vector<std::string> found;
  for (const auto& s :
       reference::executions(mapping, *program.algorithm, {{"N", n}, {"M", 2}, {"T", 4}})) {
    if (program.algorithm->definitions[s.definition].name != "S_init") continue;
    found.push_back(reference::to_string(s.instance) + " at " + reference::to_string(s.time()));
    for (const Loop* loop : s.around)
      found.back() += " " + loop->name + ":" + to_string(loop->processor);
  }
  return found;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("initial values: just before the loop that reduces", "[judge][initial]") {
  Handmade made = sums();
  const Texts expected{"[0] at [0, 0, 0] i:sequential", "[1] at [0, 1, 0] i:sequential"};
  made.schedule({under("i", under("k", made.branch("{ S[i, k] -> [i, k] }")))});
  CHECK(initial(made) == expected);
  CHECK(initial(made, 0) == expected);  // results without contributions, too
  made.schedule({under("k", under("i", made.branch("{ S[i, k] -> [k, i] }")))});
  CHECK(initial(made) == expected);
}

TEST_CASE("initial values: in vectors like the contributions, not on threads", "[judge][initial]") {
  Handmade made = sums();
  made.schedule({under("k", under("i", made.branch("{ S[i, k] -> [k, i] }"), Processor::vector))});
  CHECK(initial(made) == Texts{"[0] at [0, 0, 0] i:vector", "[1] at [0, 1, 0] i:vector"});
  made.schedule(
      {under("k", under("i", made.branch("{ S[i, k] -> [k, i] }"), Processor::parallel))});
  CHECK(initial(made) == Texts{"[0] at [0, 0, 0] i:sequential", "[1] at [0, 1, 0] i:sequential"});
  made.schedule(
      {under("i", under("k", made.branch("{ S[i, k] -> [i, k] }")), Processor::parallel)});
  CHECK(initial(made) == Texts{"[0] at [0, 0, 0] i:parallel", "[1] at [0, 1, 0] i:parallel"});
}

TEST_CASE("initial values: a level that mixes result and contribution", "[judge][initial]") {
  Handmade made = sums();
  made.schedule({under("i", under("k", made.branch("{ S[i, k] -> [i + k, k] }")))});
  CHECK(initial(made) == Texts{"[0] at [0, 0, 0] i:sequential", "[1] at [0, 1, 0] i:sequential"});
}

TEST_CASE("initial values: a launch of their own where blocks contribute to one result",
          "[judge][initial]") {
  Handmade made = sums();
  const auto in = [&](Processor outer, Processor inner) {
    made.schedule({under("i", under("k", made.branch("{ S[i, k] -> [i, k] }"), inner), outer)});
    return initial(made);
  };
  using enum Processor;
  CHECK(in(block, sequential) == Texts{"[0] at [0, 0, 0] i:block", "[1] at [0, 1, 0] i:block"});
  // The contributions are in the next nest, whose block loops hold nothing else.
  CHECK(in(block, block) == Texts{"[0] at [0, 0, 0] i:block", "[1] at [0, 1, 0] i:block"});
  CHECK(reference::with_initial_values(made.program()).roots.size() == 2);
}

TEST_CASE("initial values: by the first thread where the others contribute to the same results",
          "[judge][initial]") {
  Handmade made = sums();
  made.schedule(
      {under("b",
             under("i", under("k", made.branch("{ S[i, k] -> [0, i, k] }"), Processor::thread),
                   Processor::thread),
             Processor::block)});
  CHECK(initial(made) == Texts{"[0] at [0, 0, 0, 0, 0, 0, 0] b:block i:thread k:thread",
                               "[1] at [0, 0, 0, 1, 0, 0, 0] b:block i:thread k:thread"});
}

TEST_CASE("initial values: loops over the results where tiles may hold several",
          "[judge][initial]") {
  Handmade made = sums();
  Loop tiles{LoopHead{{"i"}}};
  tiles.tile_size = "T";
  tiles.body = {under("k", made.branch("{ S[i, k] -> [i, k] }"))};
  made.schedule({Node{tiles}});
  CHECK(initial(made) == Texts{"[0] at [0, 0, 0, 0, 0] i:sequential i_:sequential",
                               "[1] at [0, 0, 0, 1, 0] i:sequential i_:sequential"});
}

TEST_CASE("initial values: once for the pieces of a schedule, again for values computed again",
          "[judge][initial]") {
  Handmade made = sums();
  const auto piece = [&](const std::string& some) {
    return under("k", made.branch("{ S[i, k] -> [i, k] }", some));
  };
  made.schedule(
      {Handmade::loop("i", {piece("{ S[i, k] : k < 1 }"), piece("{ S[i, k] : k > 0 }")})});
  CHECK(initial(made) == Texts{"[0] at [0, 0, 0] i:sequential", "[1] at [0, 1, 0] i:sequential"});
  made.schedule({under("i", piece("{ S[i, k] : k < 1 }")), under("i", piece(""))});
  CHECK(initial(made) == Texts{"[0] at [0, 0, 0] i:sequential", "[1] at [0, 1, 0] i:sequential",
                               "[0] at [1, 0, 0] i:sequential", "[1] at [1, 1, 0] i:sequential"});
}

}  // namespace strata::test::initial_values_test
