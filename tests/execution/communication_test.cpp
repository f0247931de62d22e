// Layer IV: the allocations, copies and frees that follow from layers I to III.
#include <catch2/catch.hpp>

#include <isl/map.h>
#include <strata/strata.h>

#include <map>

#include "layers/flow/communication.h"
#include "schedule/finish.h"
#include "tests/execution/harness.h"
#include "tests/execution/product.h"
#include "tests/execution/refused.h"

namespace strata::test::communication_test {

namespace {

const Var x("x"), y("y"), io("io"), jo("jo"), ii("ii"), ji("ji");

// c = a b in tiles; b is read through a panel per io and jo, sums are in registers.
struct Tiled : Product {
  Tiled() {
    c.tile(i, j, 4, 8, io, jo, ii, ji);
    Computation sums = c.copy_at(jo, "sums", {y, x});
    sums.cache_at(jo, b, "panel", {Var("p"), Var("q")});
  }
};

Program finished_program(const Tiled& p) { return finished(p.f.program(), {"a", "b", "c"}, {}); }

const Operation& operation(const Communication& all, Operation::Kind kind,
                           const std::string& name) {
  for (const Operation& o : all.operations)
    if (o.kind == kind && o.name == name) return o;
  throw std::runtime_error("no operation of " + name);
}

bool is(const isl::map& relation, const std::string& expected) {
  return relation.is_equal(isl::map(relation.ctx(), expected));
}

}  // namespace

TEST_CASE("allocations, copies and frees have times", "[communication]") {
  const Tiled p;
  const Communication all = communication_of(finished_program(p));
  const std::string tiles =
      " : 0 <= i <= (N - 1) / 4 and 0 <= j <= (M - 1) / 8 and "
      "N > 0 and M > 0 }";
  CHECK(is(operation(all, Operation::Kind::allocate, "sums").time,
           "[N, M, K] -> { sums[i, j] -> [0, i, 0, j, 1]" + tiles));
  // The body of jo: the panel (0), sums, which reads it (1), and the copy of sums (2).
  CHECK(is(operation(all, Operation::Kind::free, "panel").time,
           "[N, M, K] -> { panel[i, j] -> [0, i, 0, j, 1]" + tiles));
  const Operation& copy = operation(all, Operation::Kind::copy, "c");
  CHECK(copy.from == "sums");
  CHECK(copy.buffer == "c");
  REQUIRE(copy.moved);
  CHECK(is(*copy.moved,
           "[N, M, K] -> { c[y, x] -> sums[y, x] : 0 <= y < N and 0 <= x < M and N > 0 }"));
  const Operation& panel = operation(all, Operation::Kind::copy, "panel");
  CHECK(panel.from == "b");
  CHECK(is(*panel.moved,
           "[N, M, K] -> { panel[p, q] -> b[p, q] : 0 <= p < K and 0 <= q < M "
           "and N > 0 }"));
}

TEST_CASE("the loop tree allocates as often as layer IV does", "[communication]") {
  const Tiled p;
  Judged judged(p.f, p.arguments());
  judged.check({9, 17, 3});
  const auto run = reference::run_tree(judged.tree(), judged.named({9, 17, 3}), {});
  CHECK(run.allocations == std::map<std::string, std::size_t>{{"panel", 9}, {"sums", 9}});
  for (const char* buffer : {"panel", "sums"}) {
    const Communication all = communication_of(finished_program(p));
    const isl::set times = operation(all, Operation::Kind::allocate, buffer).time.range();
    CHECK(reference::points(times, judged.named({9, 17, 3})).size() == 9);  // tiles of 4 x 8
  }
}

TEST_CASE("a temporary of the kernel lives from its first node to its last", "[communication]") {
  Function f("chain");
  Param N = f.param("N");
  const Var i("i", 0, N);
  Computation s = f.computation("s", {i}, cast(i32, i)), t = f.computation("t", {i}, s(i) * 2);
  const Communication all = communication_of(finished(f.program(), {"t"}, {}));
  REQUIRE(all.operations.size() == 2);
  CHECK(is(all.operations[0].time, "[N] -> { s[] -> [0] }"));
  CHECK(is(all.operations[1].time, "[N] -> { s[] -> [1] }"));
}

TEST_CASE("layer IV as text", "[communication]") {
  Function f("copying");
  Param N = f.param("N");
  const Var i("i", 0, N);
  Input in = f.input("in", i32, {N});
  Computation s = f.computation("s", {i}, in(i)), t = f.computation("t", {i}, s(i) * 2);
  s.compute_at(t, i);
  CHECK(f.communication({in.buffer(), t.buffer()}) ==
        "communication {\n"
        "  allocate s at [N] -> { s[i] -> [0, i, 0] : 0 <= i < N }\n"
        "  copy s from in to s at [N] -> { s[i] -> [0, i, 0, i, 0] : 0 <= i < N }\n"
        "    moves [N] -> { s[i] -> in[i] : 0 <= i < N }\n"
        "  free s at [N] -> { s[i] -> [0, i, 1] : 0 <= i < N }\n"
        "}\n");
}

TEST_CASE("what is touched outside of its allocation is refused by layer IV", "[communication]") {
  Function f("escaping");
  Param N = f.param("N");
  const Var i("i", 0, N);
  Computation s = f.computation("s", {i}, cast(i32, i)), t = f.computation("t", {i}, s(i) * 2);
  s.unchecked().allocate_at(s, i);
  const Refusal refusal = refusal_of([&] { f.jit({t.buffer()}); });
  CHECK(refusal.code == Code::E0307_out_of_scope);
  CHECK(refusal.explanation == "t touches s outside of the loops that allocate it");
}

TEST_CASE("a gather is not a copy", "[communication]") {
  Function f("gather");
  Param N = f.param("N");
  const Var i("i", 0, N);
  Input at = f.input("at", i32, {N}), in = f.input("in", i32, {N});
  Computation s = f.computation("s", {i}, in(at(i)));
  CHECK(f.communication({at.buffer(), in.buffer(), s.buffer()}) == "communication {\n}\n");
}

}  // namespace strata::test::communication_test
