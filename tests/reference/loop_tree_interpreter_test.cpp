// The loop-tree interpreter on hand-built trees, correct ones and ones with a planted fault.
#include <catch2/catch.hpp>

#include "reference/handmade.h"
#include "reference/inputs.h"
#include "reference/loop_tree_theta.h"

namespace strata::test::loop_tree_interpreter_test {

using reference::Handmade;
using reference::Point;
using reference::run_tree;
using reference::RunOptions;
using reference::TreeRun;

namespace {

const Expr i = variable("i"), j = variable("j"), n = parameter("N");
const Expr zero = constant(i64, 0), one = constant(i64, 1);

StmtPtr loop(const std::string& name, const Expr& lower, const Expr& upper, StmtPtr body,
             Processor processor = Processor::sequential,
             std::optional<std::int64_t> extent = std::nullopt) {
  return make_stmt(For{{name, processor}, name, lower, upper, extent, std::move(body)});
}

StmtPtr block(std::vector<StmtPtr> body) { return make_stmt(Block{std::move(body)}); }

Kernel kernel(StmtPtr body, std::vector<ArgumentBuffer> buffers) {
  Kernel k;
  k.name = "handmade";
  k.parameters = {"N"};
  k.buffers = std::move(buffers);
  k.body = std::move(body);
  return k;
}

ArgumentBuffer argument(const std::string& name, Access access, const Expr& upper = n) {
  return {name, i64, access, {zero}, {upper}};
}

reference::Arrays counting(const std::string& name, std::int64_t size) {
  reference::Arrays result;
  result[name] = reference::Array::box(i64, {0}, {size});
  for (std::int64_t x = 0; x < size; ++x) result[name].set({x}, reference::scalar(x + 1));
  return result;
}

// P[i] = P[i-1] + a[i], with P[0] = a[0]
StmtPtr prefix_step(const Expr& before) {
  const Expr value = select(i > 0, load("P", i64, {before}), zero) + load("a", i64, {i});
  return make_stmt(Execute{"P", {i}, "P", {i}, value});
}

Kernel prefix_sum(Processor processor, const Expr& before = i - 1) {
  return kernel(loop("i", zero, n, prefix_step(before), processor),
                {argument("a", Access::read), argument("P", Access::written)});
}

std::int64_t last_sum(const TreeRun& run) { return run.buffers["P"].integer({3}); }

bool tells(const std::vector<std::string>& findings, const std::string& text) {
  for (const std::string& f : findings)
    if (f.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("tree: a prefix sum", "[judge][tree]") {
  const TreeRun run = run_tree(prefix_sum(Processor::sequential), {{"N", 4}}, counting("a", 4));
  CHECK(run.findings.empty());
  CHECK(last_sum(run) == 1 + 2 + 3 + 4);
  REQUIRE(run.trace.size() == 4);
  CHECK(run.trace[2].computation == "P");
  CHECK(run.trace[2].instance == Point{2});
  REQUIRE(run.trace[2].loops.size() == 1);
  CHECK(run.trace[2].loops[0].name == "i");
  CHECK(run_tree(prefix_sum(Processor::sequential), {{"N", 0}}, {}).trace.empty());
}

TEST_CASE("tree: the lanes of a recurrence are right one after the other only", "[judge][tree]") {
  const Kernel vector = prefix_sum(Processor::vector);
  CHECK(last_sum(run_tree(vector, {{"N", 4}}, counting("a", 4))) == 10);
  const TreeRun lockstep =
      run_tree(vector, {{"N", 4}}, counting("a", 4), {RunOptions::Lanes::innermost, 0});
  CHECK(tells(lockstep.findings, "P[1]: load of an undefined element: P[0]"));
}

TEST_CASE("tree: lanes read before any of them writes", "[judge][tree]") {
  // b[i] = b[i + 1] + 1 moves the contents down: correct in both orders; b[i + 1] = b[i] in
  // neither.
  const auto shift = [](const Expr& to, const Expr& from) {
    return kernel(
        loop("i", zero, n - 1, make_stmt(Execute{"S", {i}, "b", {to}, load("b", i64, {from})}),
             Processor::vector),
        {argument("b", Access::read_and_written)});
  };
  for (auto lanes : {RunOptions::Lanes::outer, RunOptions::Lanes::innermost}) {
    const TreeRun down = run_tree(shift(i, i + 1), {{"N", 5}}, counting("b", 5), {lanes, 0});
    CHECK(down.buffers["b"].integer({0}) == 2);
    CHECK(down.buffers["b"].integer({3}) == 5);
  }
  const TreeRun up =
      run_tree(shift(i + 1, i), {{"N", 5}}, counting("b", 5), {RunOptions::Lanes::innermost, 0});
  CHECK(up.buffers["b"].integer({4}) == 4);
}

TEST_CASE("tree: parallel iterations are shuffled by the seed", "[judge][tree]") {
  const Kernel racing = prefix_sum(Processor::parallel);
  CHECK(run_tree(racing, {{"N", 8}}, counting("a", 8)).findings.empty());
  CHECK_FALSE(run_tree(racing, {{"N", 8}}, counting("a", 8), {RunOptions::Lanes::outer, 3})
                  .findings.empty());
}

TEST_CASE("tree: conditions, blocks and temporaries", "[judge][tree]") {
  // Each i has its own t[0..2); even i take one branch, odd i the other.
  const auto put = [](const std::string& name, const Expr& at, const Expr& value) {
    return make_stmt(Execute{name, {i}, "t", {at}, value});
  };
  const StmtPtr use =
      make_stmt(Execute{"U", {i}, "b", {i}, load("t", i64, {zero}) + load("t", i64, {one})});
  const StmtPtr halves = make_stmt(
      If{i % 2 == 0, put("A", one, constant(i64, 100)), put("B", one, constant(i64, 200))});
  const StmtPtr body =
      make_stmt(Allocate{"t", i64, {zero}, {one + one}, block({put("S", zero, i), halves, use})});
  for (Processor p : {Processor::sequential, Processor::parallel, Processor::vector}) {
    const Kernel k = kernel(loop("i", zero, n, body, p), {argument("b", Access::written)});
    for (auto lanes :
         {RunOptions::Lanes::outer, RunOptions::Lanes::innermost, RunOptions::Lanes::mixed}) {
      const TreeRun run = run_tree(k, {{"N", 5}}, {}, {lanes, 5});
      CHECK(run.findings.empty());
      for (std::int64_t x = 0; x < 5; ++x)
        CHECK(run.buffers["b"].integer({x}) == x + (x % 2 == 0 ? 100 : 200));
    }
  }
}

TEST_CASE("tree: what a loop's body allocates is new in each iteration", "[judge][tree]") {
  // t is written only in the first iteration, but read in all.
  const StmtPtr write = make_stmt(Execute{"S", {i}, "t", {zero}, i * 10});
  const StmtPtr read = make_stmt(Execute{"T", {i}, "u", {i}, load("t", i64, {zero})});
  const auto inside = [&](StmtPtr first) {
    return make_stmt(Allocate{"t", i64, {zero}, {one}, block({std::move(first), read})});
  };
  const StmtPtr once = make_stmt(If{i < one, write, nullptr});
  const auto run = [&](StmtPtr body, Processor processor, RunOptions::Lanes lanes) {
    return run_tree(
        kernel(loop("i", zero, n, std::move(body), processor), {argument("u", Access::written)}),
        {{"N", 3}}, {}, {lanes, 1});
  };
  for (Processor p : {Processor::sequential, Processor::parallel, Processor::vector})
    for (auto lanes : {RunOptions::Lanes::outer, RunOptions::Lanes::innermost}) {
      const TreeRun each = run(inside(write), p, lanes);
      CHECK(each.findings.empty());
      CHECK(each.buffers["u"].integer({2}) == 20);
      CHECK(
          tells(run(inside(once), p, lanes).findings, "T[1]: load of an undefined element: t[0]"));
    }
}

TEST_CASE("tree: lanes that have loops of different extent", "[judge][tree]") {
  // for i in lanes, for j in i..3: b[i] += j
  const StmtPtr add = make_stmt(Execute{"S", {i, j}, "b", {i}, load("b", i64, {i}) + j});
  const Kernel k =
      kernel(loop("i", zero, n, loop("j", i, constant(i64, 4), add), Processor::vector),
             {argument("b", Access::read_and_written)});
  const TreeRun run = run_tree(k, {{"N", 3}}, counting("b", 3), {RunOptions::Lanes::innermost, 0});
  CHECK(run.buffers["b"].integer({0}) == 1 + 0 + 1 + 2 + 3);
  CHECK(run.buffers["b"].integer({2}) == 3 + 2 + 3);
  CHECK(run.trace[1].instance == Point{0, 1});
  CHECK(run.trace[2].instance == Point{1, 1});
}

TEST_CASE("tree: faults are findings", "[judge][tree]") {
  const auto copy = [](const Expr& to, const Expr& from) {
    return make_stmt(Execute{"S", {i}, "b", {to}, load("a", i64, {from})});
  };
  const std::vector<ArgumentBuffer> buffers{argument("a", Access::read),
                                            argument("b", Access::written)};
  const auto findings = [&](StmtPtr body) {
    return run_tree(kernel(std::move(body), buffers), {{"N", 3}}, counting("a", 3)).findings;
  };
  CHECK(findings(loop("i", zero, n, copy(i, i))).empty());
  SECTION("an out-of-bounds load") {
    CHECK(tells(findings(loop("i", zero, n, copy(i, i + 1))), "load out of bounds: a[3]"));
  }
  SECTION("an out-of-bounds store") {
    CHECK(tells(findings(loop("i", zero, n + 1, copy(i, zero))), "store out of bounds: b[3]"));
  }
  SECTION("a temporary that is too small") {
    const StmtPtr body = make_stmt(Execute{"T", {i}, "t", {i}, i});
    CHECK(tells(findings(make_stmt(Allocate{"t", i64, {zero}, {n - 1}, loop("i", zero, n, body)})),
                "store out of bounds: t[2]"));
  }
  SECTION("a load of what was never written") {
    const StmtPtr body = make_stmt(Execute{"S", {i}, "b", {i}, load("b", i64, {i})});
    CHECK(tells(findings(loop("i", zero, n, body)), "undefined element: b[0]"));
  }
  SECTION("a store to what is only read") {
    const StmtPtr body = make_stmt(Execute{"S", {i}, "a", {i}, i});
    CHECK(tells(findings(loop("i", zero, n, body)), "only read: a"));
  }
  SECTION("a wrong extent") {
    CHECK(tells(findings(loop("i", zero, n, copy(i, i), Processor::vector, 4)),
                "3 iterations and says 4"));
  }
  SECTION("one variable twice") {
    CHECK(tells(findings(loop("i", zero, n, loop("i", zero, one, copy(i, i)))), "variable i"));
  }
  SECTION("a value of another type") {
    const StmtPtr body = make_stmt(Execute{"S", {i}, "b", {i}, cast(f32, i)});
    CHECK(tells(findings(loop("i", zero, n, body)), "float32 stored in b, which holds int64"));
  }
  SECTION("unknown names") {
    CHECK(tells(findings(loop("i", zero, n, copy(i, j))), "unknown iterator j"));
    const StmtPtr body = make_stmt(Execute{"S", {i}, "c", {i}, i});
    CHECK(tells(findings(loop("i", zero, n, body)), "unknown buffer c"));
  }
}

TEST_CASE("tree: a kernel whose assumption fails does nothing", "[judge][tree]") {
  Kernel k = prefix_sum(Processor::sequential);
  k.assumptions.push_back({n % 2 == 0, "N % 2 == 0"});
  CHECK_FALSE(run_tree(k, {{"N", 4}}, counting("a", 4)).refused);
  const TreeRun refused = run_tree(k, {{"N", 3}}, counting("a", 3));
  CHECK(refused.refused);
  CHECK(refused.trace.empty());
}

namespace {

// S over i, then T over i: in one loop (T after S) or in two.
struct TwoStatements {
  Handmade made{{"N"}};
  TwoStatements() { made.define("{ S[i] : 0 <= i < N }", i).define("{ T[i] : 0 <= i < N }", i); }
  std::vector<std::string> differences(StmtPtr body, std::vector<Node> schedule,
                                       const RunOptions& options = {}) {
    const Program program = made.schedule(std::move(schedule)).program();
    const Kernel k = kernel(std::move(body), {argument("b", Access::read_and_written)});
    const TreeRun run = run_tree(k, {{"N", 5}}, {}, options);
    CHECK(run.findings.empty());
    return differences_from_theta(program.mapping, *program.algorithm, {{"N", 5}}, run.trace);
  }
  std::vector<Node> fused(Processor processor = Processor::sequential) {
    return {Handmade::loop("i", {made.branch("{ S[i] -> [i] }"), made.branch("{ T[i] -> [i] }")},
                           processor)};
  }
};

StmtPtr statement(const std::string& name, const Expr& at = i) {
  return make_stmt(Execute{name, {at}, "b", {at}, at});
}

}  // namespace

TEST_CASE("tree: a kernel that executes Theta", "[judge][tree]") {
  TwoStatements two;
  const StmtPtr both = block({statement("S"), statement("T")});
  for (Processor p :
       {Processor::sequential, Processor::parallel, Processor::vector, Processor::unrolled})
    for (auto lanes : {RunOptions::Lanes::outer, RunOptions::Lanes::innermost})
      CHECK(two.differences(loop("i", zero, n, both, p), two.fused(p), {lanes, 9}).empty());
  // The first and last iterations are peeled off the loop.
  const Expr last = n - 1;
  CHECK(
      two.differences(block({statement("S", zero), statement("T", zero), loop("i", one, last, both),
                             statement("S", last), statement("T", last)}),
                      two.fused())
          .empty());
}

TEST_CASE("tree: a kernel that does not execute Theta", "[judge][tree]") {
  TwoStatements two;
  const StmtPtr both = block({statement("S"), statement("T")});
  SECTION("a missing execution") {
    CHECK(tells(two.differences(loop("i", one, n, both), two.fused()),
                "does not run: S[0] at [0, 0, 0]"));
  }
  SECTION("an execution too many") {
    CHECK(
        tells(two.differences(block({loop("i", zero, n, both), statement("S", zero)}), two.fused()),
              "not scheduled (so often): S[0]"));
  }
  SECTION("an instance that does not exist") {
    const auto k = loop("i", zero, n, block({statement("S"), statement("R"), statement("T")}));
    CHECK(tells(two.differences(k, two.fused()), "not scheduled (so often): R[0]"));
  }
  SECTION("statements in the wrong order") {
    CHECK(tells(
        two.differences(loop("i", zero, n, block({statement("T"), statement("S")})), two.fused()),
        "T[0] at [0, 0, 1] runs before S[0] at [0, 0, 0]"));
  }
  SECTION("loops not fused") {
    CHECK(tells(two.differences(
                    block({loop("i", zero, n, statement("S")), loop("i", zero, n, statement("T"))}),
                    two.fused()),
                "S[1] at [0, 1, 0] runs before T[0] at [0, 0, 1]"));
  }
  SECTION("a loop run backwards") {
    const StmtPtr backwards = block({statement("S", n - 1 - i), statement("T", n - 1 - i)});
    CHECK(tells(two.differences(loop("i", zero, n, backwards), two.fused()),
                "S[4] at [0, 4, 0] runs before S[3] at [0, 3, 0]"));
  }
  SECTION("a tag lost, and a tag too many") {
    CHECK(tells(two.differences(loop("i", zero, n, both), two.fused(Processor::parallel)),
                "another name or processor"));
    CHECK(tells(two.differences(loop("i", zero, n, both, Processor::vector), two.fused()),
                "another name or processor"));
  }
  SECTION("a loop of another name") {
    CHECK(
        tells(two.differences(make_stmt(For{{"k", Processor::sequential}, "i", zero, n, {}, both}),
                              two.fused()),
              "another name"));
  }
  SECTION("a loop written out") {
    std::vector<StmtPtr> all;
    for (int x = 0; x < 5; ++x) {
      all.push_back(statement("S", constant(i64, x)));
      all.push_back(statement("T", constant(i64, x)));
    }
    CHECK(tells(two.differences(block(all), two.fused()), "is missing around iteration 2"));
  }
}

}  // namespace strata::test::loop_tree_interpreter_test
