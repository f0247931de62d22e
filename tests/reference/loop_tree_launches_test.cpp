// Launches in the loop-tree interpreter, on hand-built trees: right ones, and ones with a planted
// fault.
#include <catch2/catch.hpp>

#include "reference/inputs.h"
#include "reference/loop_tree_interpreter.h"

namespace strata::test::loop_tree_launches_test {

using reference::run_tree;
using reference::RunOptions;
using reference::TreeRun;

namespace {

const Expr b = variable("b"), t = variable("t"), u = variable("u"), n = parameter("N");
const Expr zero = constant(i64, 0), four = constant(i64, 4);

StmtPtr block(std::vector<StmtPtr> body) { return make_stmt(Block{std::move(body)}); }

StmtPtr threads(const std::string& variable, StmtPtr body, std::int64_t lower = 0) {
  return make_stmt(For{{variable, Processor::thread},
                       variable,
                       constant(i64, lower),
                       constant(i64, lower + 4),
                       4,
                       std::move(body)});
}

StmtPtr set(const std::string& name, const std::string& buffer, const Expr& place,
            const Expr& value, std::optional<Op> atomic = std::nullopt) {
  return make_stmt(Execute{name, {place}, buffer, {place}, value, atomic});
}

StmtPtr barrier(Fence fence = Fence::both) { return make_stmt(Barrier{fence}); }

StmtPtr allocated(StmtPtr body, Memory memory = Memory::shared) {
  return make_stmt(Allocate{"s", i64, {zero}, {four}, std::move(body), memory});
}

// N blocks of four threads.
TreeRun run(StmtPtr body, std::uint64_t seed = 0, std::vector<std::int64_t> size = {4}) {
  Kernel k;
  k.name = "handmade";
  k.parameters = {"N"};
  k.buffers = {{"out", i64, Access::written, {zero}, {n * 4}},
               {"in", i64, Access::read_and_written, {zero}, {four}}};
  for (ArgumentBuffer& buffer : k.buffers) buffer.resident = true;
  reference::Arrays in;
  in["in"] = reference::Array::box(i64, {0}, {4});
  for (std::int64_t x = 0; x < 4; ++x) in["in"].set({x}, {i64, std::uint64_t(7 * x)});
  const For blocks{{"b", Processor::block}, "b", zero, n, std::nullopt, std::move(body)};
  k.body = make_stmt(Launch{"b", {n}, std::move(size), make_stmt(blocks)});
  return run_tree(k, {{"N", 3}}, in, {RunOptions::Lanes::outer, seed});
}

bool tells(const TreeRun& run, const std::string& text) {
  for (const std::string& f : run.findings)
    if (f.find(text) != std::string::npos) return true;
  return false;
}

const StmtPtr write_own = threads("t", set("S", "s", t, t + 1));
// The next thread's.
const StmtPtr read_other = threads("u", set("T", "out", b * 4 + u, load("s", i64, {(u + 1) % 4})));

}  // namespace

TEST_CASE("launch: threads that wait for each other", "[judge][tree][gpu]") {
  for (const std::uint64_t seed : {0, 1, 2, 5}) {
    const TreeRun right = run(allocated(block({write_own, barrier(), read_other})), seed);
    CHECK(right.findings.empty());
    for (std::int64_t x = 0; x < 12; ++x)
      CHECK(right.buffers["out"].integer({x}) == (x + 1) % 4 + 1);
    CHECK(right.trace.size() == 24);
  }
}

TEST_CASE("launch: a race is found in every order of the threads", "[judge][tree][gpu]") {
  for (const std::uint64_t seed : {0, 1, 2, 5}) {
    CHECK(tells(run(allocated(block({write_own, read_other})), seed), "race: threads "));
    const StmtPtr wrong_fence = block({write_own, barrier(Fence::global), read_other});
    CHECK(tells(run(allocated(wrong_fence), seed), "race: threads "));
    const StmtPtr twice = threads("t", set("S", "s", zero, t));
    CHECK(tells(run(allocated(twice), seed), "race: threads "));
    const StmtPtr everywhere = threads("t", set("S", "out", t, b));
    CHECK(tells(run(everywhere, seed), "race: two blocks touch out"));
  }
  // Its own value.
  const StmtPtr own = threads("u", set("T", "out", b * 4 + u, load("s", i64, {u})));
  CHECK(run(allocated(block({write_own, own})), 3).findings.empty());
}

TEST_CASE("launch: iterations of a loop have one shared memory", "[judge][tree][gpu]") {
  const auto steps = [](StmtPtr body) {
    return make_stmt(For{
        {"k", Processor::sequential}, "k", zero, constant(i64, 2), 2, allocated(std::move(body))});
  };
  CHECK(run(steps(block({write_own, barrier(), read_other, barrier()}))).findings.empty());
  CHECK(tells(run(steps(block({write_own, barrier(), read_other}))), "race: threads "));
}

TEST_CASE("launch: atomic steps do not race with each other", "[judge][tree][gpu]") {
  const StmtPtr first = threads("t", make_stmt(If{t == 0, set("I", "s", zero, zero), nullptr}));
  const StmtPtr add = threads("u", set("S", "s", zero, load("s", i64, {zero}) + u, Op::add));
  CHECK(run(allocated(block({first, barrier(), add})), 3).findings.empty());
  CHECK(tells(run(allocated(block({first, add})), 3), "race: threads "));
}

TEST_CASE("launch: a place of local memory belongs to one thread", "[judge][tree][gpu]") {
  const StmtPtr own = threads("u", set("T", "out", b * 4 + u, load("s", i64, {u})));
  CHECK(run(allocated(block({write_own, own}), Memory::local), 3).findings.empty());
  CHECK(tells(run(allocated(block({write_own, barrier(), read_other}), Memory::local)),
              "which belongs to one thread"));
}

TEST_CASE("launch: a barrier that some threads miss", "[judge][tree][gpu]") {
  const StmtPtr in_threads = threads("t", block({set("S", "out", b * 4 + t, t), barrier()}));
  CHECK(tells(run(in_threads), "divergent: "));
  const StmtPtr lanes =
      make_stmt(For{{"v", Processor::vector}, "v", zero, constant(i64, 2), 2, barrier()});
  CHECK(tells(run(lanes), "divergent: "));
}

TEST_CASE("launch: which thread runs what", "[judge][tree][gpu]") {
  const auto guarded = [](std::vector<std::int64_t> counts, StmtPtr body) {
    return make_stmt(ThreadGuard{std::move(counts), std::move(body)});
  };
  const StmtPtr zeroed = set("S", "s", zero, zero), alone = guarded({1, 1}, zeroed);
  const StmtPtr store = set("T", "out", b * 4 + u, load("s", i64, {zero}));
  const StmtPtr row = threads("u", guarded({4, 1}, store));
  CHECK(run(allocated(block({alone, barrier(), row})), 3, {4, 2}).findings.empty());
  CHECK(tells(run(allocated(block({alone, row})), 3, {4, 2}), "race: threads "));
  CHECK(tells(run(allocated(block({zeroed, barrier(), row})), 3, {4, 2}), "race: threads "));
  const StmtPtr one = set("T", "out", b * 4 + u, u);
  CHECK(run(threads("u", guarded({4, 1}, one)), 3, {4, 2}).trace.size() == 12);
  CHECK(tells(run(threads("u", one), 3, {4, 2}), "race: threads "));
  CHECK(run(threads("u", guarded({4}, one)), 3, {6}).findings.empty());
  CHECK_FALSE(run(threads("u", one), 3, {6}).findings.empty());
  CHECK(tells(run(guarded({1}, barrier())), "divergent: "));
  // A loop counts its threads from its lower bound.
  const StmtPtr later = threads("u", set("T", "out", b * 4 + u - 7, load("s", i64, {u - 7})), 7);
  CHECK(run(allocated(block({write_own, later})), 3).findings.empty());
  CHECK(tells(run(threads("t", set("S", "out", b * 4 + t, t)), 0, {2}),
              "more iterations than the block"));
}

TEST_CASE("launch: an asynchronous copy is there when its thread has waited",
          "[judge][tree][gpu]") {
  const auto copy = [](const std::string& from) {
    Execute one{"S", {t}, "s", {t}, load(from, i64, {t})};
    one.asynchronous = true;
    return threads("t", make_stmt(std::move(one)));
  };
  const auto runs = [&](std::vector<StmtPtr> body, const std::string& from = "in",
                        std::uint64_t seed = 3) {
    body.insert(body.begin(), copy(from));
    return run(allocated(block(std::move(body))), seed);
  };
  const StmtPtr wait = make_stmt(AwaitCopies{}), sync = barrier();
  const StmtPtr read_own = threads("u", set("T", "out", b * 4 + u, load("s", i64, {u})));
  for (const std::uint64_t seed : {0, 1, 3}) {
    const TreeRun right = runs({wait, sync, read_other}, "in", seed);
    CHECK(right.findings.empty());
    for (std::int64_t x = 0; x < 12; ++x)
      CHECK(right.buffers["out"].integer({x}) == (x + 1) % 4 * 7);
    CHECK(tells(runs({sync, read_other}, "in", seed), "no thread has waited for the copy to s"));
    CHECK(tells(runs({sync, wait, read_other}, "in", seed),
                "no thread has waited for the copy to s"));
    CHECK(tells(runs({wait, read_other}, "in", seed), "race: threads "));
  }
  CHECK(runs({wait, read_own}).findings.empty());
  CHECK(tells(runs({read_own}), "no thread has waited for the copy to s"));
  CHECK(tells(runs({copy("in"), wait}), "no thread has waited for the copy to s"));
  const StmtPtr change = threads("u", set("U", "in", u, zero));
  CHECK(tells(runs({change, wait}), "no thread has waited for the copy from in"));
  CHECK(tells(runs({wait, sync}, "s"), "not from global to shared memory"));
}

}  // namespace strata::test::loop_tree_launches_test
