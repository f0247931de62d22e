// Conditions of partial tiles in launches that may be left out.
#include "codegen/entry/idle_guards.h"

#include <catch2/catch.hpp>

#include "codegen/tree/thread_variable.h"
#include "core/expr/expr.h"

namespace strata::test::idle_guards_test {

namespace {

const Expr N = parameter("N");
const Expr block = variable("block"), thread = variable("thread"), k = variable("k"),
           u = variable("u");
const Expr place = 8 * thread + u;

Expr sum(const Expr& at = place) { return load("s", f32, {at}); }
Expr panel(const Expr& at = place) { return load("p", f32, {at}); }

StmtPtr store(const Expr& value, const Expr& at = place) {
  return make_stmt(Execute{"S", {at, k}, "s", {at}, value});
}

StmtPtr loop(const std::string& name, const Expr& lower, std::int64_t extent, Processor processor,
             const StmtPtr& body) {
  return make_stmt(For{{name, processor}, name, lower, lower + extent, extent, body});
}

// Eight sums of each of four threads, on each step of k.
StmtPtr steps(const StmtPtr& body) {
  const StmtPtr tile = loop("u", constant(i64, 0), 8, Processor::unrolled, body);
  return loop("thread", 4 * block, 4, Processor::thread,
              loop("k", constant(i64, 0), 5, Processor::sequential, tile));
}

StmtPtr guarded(const Expr& condition, const StmtPtr& body) {
  return make_stmt(If{condition, body, nullptr});
}

// A launch with the sums, and a panel of 32 elements in shared memory.
struct Tiles {
  Memory memory = Memory::local;
  Expr first_of_panel = 32 * block;

  bool are_idle(const std::vector<StmtPtr>& body, const StmtPtr& guard) const {
    const StmtPtr inside = make_stmt(Allocate{"s",
                                              f32,
                                              {32 * block + 8 * variable(thread_variable(0))},
                                              {constant(i64, 8)},
                                              make_stmt(Block{body}),
                                              memory});
    const StmtPtr all = make_stmt(
        Allocate{"p", f32, {first_of_panel}, {constant(i64, 32)}, inside, Memory::shared});
    const Launch launch{
        "block", {N}, {4}, loop("block", constant(i64, 0), 9, Processor::block, all)};
    return idle_guards(launch).count(std::get_if<If>(guard.get())) > 0;
  }
  bool are_idle(const StmtPtr& guard) const { return are_idle({steps(guard)}, guard); }
};

const StmtPtr added = store(sum() + panel());

}  // namespace

TEST_CASE("what a partial tile computes for itself may be computed beyond it", "[idle guards]") {
  CHECK(Tiles().are_idle(guarded(place < N, added)));
  CHECK(Tiles().are_idle(guarded(place < N, store(constant(f32, 0)))));
  CHECK(Tiles().are_idle(guarded(place < N && place >= k - k + 3, added)));
}

TEST_CASE("but not what others see, or read there", "[idle guards]") {
  CHECK_FALSE(Tiles{Memory::shared}.are_idle(guarded(place < N, added)));
  const StmtPtr tile = guarded(place < N, added);
  const auto beside = [&](const StmtPtr& other) {
    return Tiles().are_idle({steps(tile), steps(other)}, tile);
  };
  CHECK(beside(guarded(place < N, store(sum()))));
  CHECK(beside(guarded(place < N - 2, store(sum()))));
  CHECK_FALSE(beside(guarded(place < N + 1, store(sum()))));
  CHECK_FALSE(beside(store(sum())));
  CHECK_FALSE(beside(guarded(place < N, store(sum(8 * thread + 7)))));
}

TEST_CASE("a full tile is inside of the domain", "[idle guards]") {
  const StmtPtr tile = guarded(place < N, added);
  const auto beside_full = [&](std::int64_t tiles) {
    const StmtPtr full = guarded(N >= 32 * block + tiles, steps(added));
    return Tiles().are_idle({full, steps(tile)}, tile);
  };
  CHECK(beside_full(32));
  CHECK_FALSE(beside_full(31));
}

TEST_CASE("contributions that the domain leaves out are left out", "[idle guards]") {
  CHECK_FALSE(Tiles().are_idle(guarded(place < k, added)));
  CHECK_FALSE(Tiles().are_idle(guarded(place < N && k < N, added)));
  CHECK_FALSE(Tiles().are_idle(guarded(place < N, store(sum(), 8 * thread))));
}

TEST_CASE("nothing is read outside of the launch's memory", "[idle guards]") {
  CHECK_FALSE(Tiles().are_idle(guarded(place < N, store(sum() + load("in", f32, {place})))));
  CHECK_FALSE(Tiles().are_idle(guarded(place < N, store(sum() + panel(place + 1)))));
  CHECK_FALSE(Tiles{Memory::local, 32 * block + 1}.are_idle(guarded(place < N, added)));
}

TEST_CASE("an operation without a value is left out", "[idle guards]") {
  const Expr whole = cast(i32, sum()), quotient = cast(f32, whole / (whole + 1));
  CHECK_FALSE(Tiles().are_idle(guarded(place < N, store(quotient))));
  CHECK(Tiles().are_idle(guarded(place < N, store(panel() / sum()))));
}

}  // namespace strata::test::idle_guards_test
