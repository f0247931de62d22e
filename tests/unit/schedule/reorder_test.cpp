#include "schedule/commands/loops/reorder.h"

#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/split.h"
#include "tests/unit/programs.h"

namespace strata::test::reorder_test {

namespace {

// S[i, j] in the loops i0, i1, j0, j1; i = 8 i0 + i1, j = 4 j0 + j1.
Program four_loops() {
  return split(split(grid(), {"S", "i"}, 8, "i0", "i1"), {"S", "j"}, 4, "j0", "j1");
}

std::vector<LoopRef> loops(const std::vector<std::string>& names) {
  std::vector<LoopRef> all;
  for (const std::string& name : names) all.push_back({"S", name});
  return all;
}

}  // namespace

TEST_CASE("reorder runs a chain of loops in the order given", "[reorder]") {
  const Program program =
      reorder(parallelize(four_loops(), {"S", "i1"}), loops({"j1", "i1", "i0", "j0"}));
  CHECK(loops_of(program, "S") == "j1 i1:parallel i0 j0");
  CHECK(runs(program, "S",
             "{ S[i, j] -> [0, j mod 4, 0, i mod 8, 0, floor(i/8), 0, floor(j/4), 0] }"));
}

TEST_CASE("reorder leaves loops that it does not name where they are", "[reorder]") {
  const Program program = reorder(four_loops(), loops({"j1", "i1", "i0"}));
  CHECK(loops_of(program, "S") == "j1 i1 j0 i0");
  CHECK(runs(program, "S",
             "{ S[i, j] -> [0, j mod 4, 0, i mod 8, 0, floor(j/4), 0, floor(i/8), 0] }"));
}

TEST_CASE("reorder of two loops is interchange or nothing, and its inverse undoes it",
          "[reorder]") {
  const Program program = four_loops();
  CHECK(same_schedule(reorder(program, loops({"j1", "i0"})),
                      interchange(program, {"S", "i0"}, {"S", "j1"})));
  CHECK(same_schedule(reorder(program, loops({"i0", "j1"})), program));
  const Program there = reorder(program, loops({"j0", "i0", "j1", "i1"}));
  CHECK(same_schedule(reorder(there, loops({"i0", "i1", "j0", "j1"})), program));
}

TEST_CASE("reorder is judged as a whole, not step by step", "[reorder]") {
  // S(i, j) reads S(i - 1, j + 1), so i stays outside of the loops over j, in any order of those.
  const Program program = split(antidiagonal(), {"S", "j"}, 4, "j0", "j1");
  const Refusal refusal = refusal_of([&] { reorder(program, loops({"j1", "j0", "i"})); });
  CHECK(refusal.code == Code::E0201_dependence_reversed);
  CHECK(refusal.command == "reorder(S.j1, S.j0, S.i)");
  CHECK(refusal.explanation ==
        "running the loops in this order would read a value before it is computed");
  CHECK(witness_text(refusal) ==
        "N = 2: S[0, 1] at [0, 1, 0, 0, 0, 0, 0]; S[1, 0] at [0, 0, 0, 0, 0, 1, 0]");
  CHECK(loops_of(reorder(program, loops({"i", "j1", "j0"})), "S") == "i j1 j0");
}

TEST_CASE("reorder names the loops there are when one is missing, or named twice", "[reorder]") {
  Refusal refusal = refusal_of([] { reorder(grid(), loops({"j", "k", "i"})); });
  CHECK(refusal.code == Code::E0102_unknown_loop);
  CHECK(refusal.explanation == "S has no loop k; it has i, j");
  refusal = refusal_of([] { reorder(grid(), loops({"j", "i", "j"})); });
  CHECK(refusal.code == Code::E0106_bad_argument);
  CHECK(refusal.explanation == "S.j is named twice");
}

}  // namespace strata::test::reorder_test
