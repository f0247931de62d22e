#include "schedule/commands/storage/copy_at.h"

#include <algorithm>

#include "layers/flow/initial_values.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/storage/cache_at.h"
#include "tests/unit/programs.h"

namespace strata::test::copy_at_test {

namespace {

// C(i, j) = sum_k in(i, k), read by D(i, j) = C(i, j) + 1.
Program products() {
  Var i = range("i", "N"), j = range("j", "N"), k = range("k", "M");
  auto program =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M")}, asked);
  program = define(program, "C", {i, j}, sum(k, at("in", {i, k})));
  return define(program, "D", {i, j}, at("C", {i, j}) + 1.0f);
}

// Is every definition inside loops of the same names in both programs?
bool same_loops(const Program& a, const Program& b) {
  const auto all = branches(a.mapping);
  return std::all_of(all.begin(), all.end(), [&](const Placed& placed) {
    return loops_around(placed) == loops_of(b, placed.branch->definition);
  });
}

const Read& read_of(const Program& program, const std::string& definition) {
  return program.algorithm->find(definition)->reads.front();
}

}  // namespace

TEST_CASE("copy_at makes values elsewhere and copies each iteration's", "[copy_at]") {
  const Program program = copy_at(products(), {"C", "i"}, "made", {"y", "x"});
  CHECK(runs(program, "made", "{ made[i, j, k] -> [0, i, 0, j, 0, k, 0] }"));
  CHECK(runs(program, "C", "{ C[y, x] -> [0, y, 1, y, 0, x, 0] }"));
  CHECK(runs(program, "D", "{ D[i, j] -> [1, i, 0, j, 0] }"));
  CHECK(loops_of(program, "C") == "i y x");
  CHECK(read_of(program, "C").producer == "made_init");
  CHECK(program.algorithm->find("made")->reduction->initial == "made_init");
  CHECK_FALSE(program.algorithm->find("C")->reduction);
  CHECK(program.algorithm->find("C_init") == nullptr);
  const auto scopes = allocating_loops(program.mapping, "made");
  REQUIRE(scopes.size() == 1);
  CHECK(scopes.front() == Path{0});
}

TEST_CASE("results without contributions are copied, too", "[copy_at]") {
  Program program = tile(products(), {{"C", "i"}, {"C", "j"}}, {4, 8}, {});
  const Placed before = branches_of(program.mapping, "C").front();
  program = copy_at(program, {"C", before.loops[1]->name}, "made", {"y", "x"});
  // M = 0: no instance made[i, j, k], but all C[y, x]
  const isl::map copies = executions(*branches_of(program.mapping, "C").front().branch);
  CHECK(copies.domain().is_equal(
      isl::set(program.session->isl(), "[N, M] -> { C[y, x] : 0 <= y, x < N }")
          .intersect_params(isl::set(program.algorithm->context))));
}

TEST_CASE("copying results row by row or element by element copies the same", "[copy_at]") {
  const Program program = products();
  const Program rows = copy_at(program, {"C", "i"}, "made", {"y", "x"});
  const Program elements = copy_at(program, {"C", "j"}, "made", {"y", "x"});
  CHECK(isl::map(read_of(rows, "C").relation).is_equal(read_of(elements, "C").relation));
  CHECK(runs(elements, "C", "{ C[y, x] -> [0, y, 0, x, 1, y, 0, x, 0] }"));
}

TEST_CASE("copy_at is refused where readers come before the copy", "[copy_at]") {
  // D shares the loops i and j of C: it would read values that loop i copies only at its end.
  const Program shared = after(products(), "D", "C", "j");
  const Refusal refusal = refusal_of([&] { copy_at(shared, {"C", "i"}, "made", {"y", "x"}); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  REQUIRE(refusal.witness);
  CHECK(refusal.witness->executions[0].instance == "C[0, 0]");
  CHECK(refusal.witness->executions[1].instance == "D[0, 0]");
  CHECK_NOTHROW(copy_at(shared, {"C", "j"}, "made", {"y", "x"}));
}

TEST_CASE("copy_at takes a loop over results", "[copy_at]") {
  const Refusal of_k = refusal_of([] { copy_at(products(), {"C", "k"}, "made", {"y", "x"}); });
  CHECK(of_k.code == Code::E0106_bad_argument);
  CHECK(of_k.explanation == "the iterations of k contribute to the same results");
  const Program inside = interchange(products(), {"C", "j"}, {"C", "k"});
  CHECK(refusal_of([&] { copy_at(inside, {"C", "j"}, "made", {"y", "x"}); }).explanation ==
        "the iterations of k contribute to the same results");
}

TEST_CASE("loops that stand beside each other may bear one name", "[copy_at]") {
  const Program cached = cache_at(products(), {"C", "j"}, "in", "a", {"x", "y"});
  CHECK(loops_of(cached, "a") == "i j x y");
  const Program program = copy_at(cached, {"C", "j"}, "c", {"x", "y"});
  CHECK(loops_of(program, "a") == "i j x y");
  CHECK(loops_of(program, "C") == "i j x y");
  CHECK(runs(program, "C", "{ C[x, y] -> [0, x, 0, y, 2, x, 0, y, 0] }"));
  const Program copied = copy_at(products(), {"C", "j"}, "c", {"x", "y"});
  CHECK(same_loops(program, cache_at(copied, {"c", "j"}, "in", "a", {"x", "y"})));
  // k is inside j, beside the copy; j is around it.
  CHECK_NOTHROW(copy_at(products(), {"C", "j"}, "c", {"k", "y"}));
  CHECK(refusal_of([] { copy_at(products(), {"C", "j"}, "c", {"x", "j"}); }).code ==
        Code::E0104_name_taken);
  CHECK(refusal_of([] { copy_at(products(), {"C", "j"}, "c", {"x", "x"}); }).code ==
        Code::E0104_name_taken);
}

TEST_CASE("copy_at names what there is", "[copy_at]") {
  CHECK(refusal_of([] { copy_at(products(), {"C", "z"}, "made", {"y", "x"}); }).explanation ==
        "C has no loop z; it has i, j, k");
  CHECK(refusal_of([] { copy_at(products(), {"C", "i"}, "D", {"y", "x"}); }).code ==
        Code::E0104_name_taken);
  CHECK(refusal_of([] { copy_at(products(), {"C", "i"}, "made", {"i", "x"}); }).code ==
        Code::E0104_name_taken);
  CHECK(refusal_of([] { copy_at(products(), {"C", "i"}, "made", {"x"}); }).code ==
        Code::E0109_wrong_arity);
}

}  // namespace strata::test::copy_at_test
