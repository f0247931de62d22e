// Verdicts are kept from one command to the next, but not for a question whose facts have changed.
#include "schedule/legality/proofs.h"

#include <functional>

#include "schedule/commands/loops/atomic.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/reverse.h"
#include "schedule/commands/loops/set_schedule.h"
#include "schedule/commands/loops/shift.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/order/before.h"
#include "schedule/commands/order/distribute_loop.h"
#include "schedule/commands/order/fuse.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/legality/legality.h"
#include "tests/unit/programs.h"

namespace strata::test::proofs_test {

namespace {

const Var i("i"), j("j"), h("h");
const Given deferred{{"test.cpp", 1}, Check::deferred};

// Three stages, the last one inside loops of the second.
Program two_nests() {
  return fuse(fuse(three_stages(), {"Q", "i"}, {"R", "i"}), {"Q", "j"}, {"R", "j"});
}

using Step = std::function<Program(const Program&, Given)>;

std::vector<Step> steps() {
  using P = const Program&;
  return {
      [](P p, Given g) { return interchange(p, {"P", "i"}, {"P", "j"}, g); },
      [](P p, Given g) { return interchange(p, {"Q", "i"}, {"Q", "j"}, g); },
      [](P p, Given g) { return reverse(p, {"P", "i"}, g); },
      [](P p, Given g) { return reverse(p, {"R", "j"}, g); },
      [](P p, Given g) { return parallelize(p, {"P", "i"}, g); },
      [](P p, Given g) { return parallelize(p, {"R", "i"}, g); },
      [](P p, Given g) { return vectorize(p, {"R", "j"}, 4, "j", "lane", g); },
      [](P p, Given g) { return split(p, {"P", "j"}, 3, "j", "in", g); },
      [](P p, Given g) { return shift(p, {"R", "j"}, Expr(-1), g); },
      [](P p, Given g) { return distribute_loop(p, {"R", "i"}, g); },
      [](P p, Given g) { return before(p, "R", "Q", "j", g); },
      [](P p, Given g) { return after(p, "P", "R", std::nullopt, g); },
      [](P p, Given g) { return after(p, "P", "Q", "i", g); },
      [](P p, Given g) { return before(p, "P", "Q", "i", g); },
      [](P p, Given g) { return store_in(p, "P", "b", {i, j}, {i, j}, g); },
      [](P p, Given g) { return store_in(p, "P", "b", {i, j}, {j, i}, g); },
      [](P p, Given g) { return store_in(p, "P", "b", {i, j}, {i % 2, j}, g); },
      [](P p, Given g) { return store_in(p, "Q", "b", {i, j}, {i, j}, g); },
  };
}

// "step" applied to "program", or nothing if it is refused.
std::optional<Program> tried(const Step& step, const Program& program, Given given = {}) {
  try {
    return step(program, given);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The same program without kept verdicts.
Program unproved(Program program) {
  program.proofs = nullptr;
  return program;
}

void check_same_verdict(const Program& program) {
  INFO("history: " << Catch::Detail::stringify(program.history));
  const auto told = find_violation(program), asked = find_violation(unproved(program));
  REQUIRE(told.has_value() == asked.has_value());
  if (!told) return;
  CHECK(told->code == asked->code);
  CHECK(told->pairs.is_equal(asked->pairs));
}

}  // namespace

TEST_CASE("what one command proved changes no verdict on the next two", "[proofs]") {
  int legal = 0, illegal = 0;
  for (const Step& first : steps()) {
    const auto proved = tried(first, two_nests());
    if (!proved) continue;
    REQUIRE(proved->proofs != nullptr);
    for (const Step& second : steps()) {
      const auto program = tried(second, *proved, deferred);
      if (!program) continue;
      check_same_verdict(*program);
      ++(find_violation(*program) ? illegal : legal);
      for (const Step& third : steps())
        if (const auto last = tried(third, *program, deferred)) check_same_verdict(*last);
    }
  }
  CHECK(legal > 20);
  CHECK(illegal > 20);
}

TEST_CASE("a schedule with loops of the same names is another question", "[proofs]") {
  const std::string text = "[N] -> { S[i, j] -> [0, i, 0, j, 0] }";
  const Program legal = set_schedule(sums_of_neighbours(), "S", text);
  CHECK(refusal_of([&] {
          set_schedule(legal, "S", "[N] -> { S[i, j] -> [0, -i, 0, j, 0] }");
        }).code == Code::E0201_dependence_reversed);
  CHECK_NOTHROW(set_schedule(legal, "S", text));
}

TEST_CASE("a buffer of the same name with other places is another question", "[proofs]") {
  const Program legal = store_in(stencil(), "P", "b", {h}, {h});
  CHECK(refusal_of([&] { store_in(legal, "P", "b", {h}, {h % 2}); }).code ==
        Code::E0301_value_overwritten);
  CHECK_NOTHROW(store_in(legal, "P", "b", {h}, {h + 1}));
}

TEST_CASE("places are asked about again when their values move", "[proofs]") {
  const Program beside = before(two_nests(), "P", "Q", "i");
  const Program legal = store_in(beside, "P", "b", {i, j}, {i % 2, j});
  CHECK(refusal_of([&] { before(legal, "P", "Q", std::nullopt); }).code ==
        Code::E0301_value_overwritten);
}

TEST_CASE("a loop whose tag changed is another question", "[proofs]") {
  const Program legal = parallelize(row_sums(), {"S", "i"});
  CHECK(refusal_of([&] { parallelize(legal, {"S", "j"}); }).code == Code::E0202_dependence_carried);
}

TEST_CASE("contributions that are atomic no more are another question", "[proofs]") {
  const Program legal = parallelize(atomic(sums(), "C"), {"C", "k"});
  REQUIRE(legal.proofs != nullptr);
  const auto violation = find_violation(with_atomic(legal, "C", false));
  REQUIRE(violation);
  CHECK(violation->code == Code::E0207_reduction_concurrent);
}

TEST_CASE("a program with violations that were waived proves nothing", "[proofs]") {
  const Given waived{{"test.cpp", 1}, Check::waived};
  const Program reversed = reverse(sums_of_neighbours(), {"S", "i"}, waived);
  CHECK_FALSE(find_violations(reversed).empty());
  const Program later = parallelize(reversed, {"S", "i"}, waived);
  CHECK_FALSE(find_violations(later).empty());
  CHECK(later.proofs == nullptr);
}

TEST_CASE("a refused command proves nothing", "[proofs]") {
  const Program legal = interchange(row_sums(), {"S", "i"}, {"S", "j"});
  const Program illegal = reverse(legal, {"S", "j"}, deferred);
  CHECK(find_violation(illegal));
  CHECK(find_violation(illegal));
  CHECK(refusal_of([&] { interchange(illegal, {"S", "i"}, {"S", "j"}); }).code ==
        Code::E0201_dependence_reversed);
}

}  // namespace strata::test::proofs_test
