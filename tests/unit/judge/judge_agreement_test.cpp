// Kernels whose lanes need each other's values, checked by the judges: the loop tree executes Theta
// and computes the interpreter's values, in every order of its lanes.
#include <catch2/catch.hpp>

#include "codegen/lower.h"
#include "reference/handmade.h"
#include "reference/initial_values.h"
#include "reference/inputs.h"
#include "reference/loop_tree_theta.h"
#include "reference/shadow.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/unroll.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/finish.h"
#include "schedule/legality/legality.h"
#include "tests/unit/programs.h"

namespace strata::test::judge_agreement_test {

using reference::Fault;
using reference::Parameters;
using reference::RunOptions;

namespace {

// The test, not the command, checks legality.
const Given unjudged{{"random", 0}, Check::deferred};

// The kernel executes Theta and computes the interpreter's values, in every order of its lanes.
void check_kernel(const Program& program, const Kernel& kernel, const Parameters& size) {
  const auto inputs = reference::random_inputs(program, size, 5);
  reference::Instances idle;
  const auto expected = reference::final_contents(
      program, size, reference::run(program, size, inputs, {}, {}, &idle));
  const auto buffers = reference::input_buffers(program, size, inputs);
  for (auto lanes :
       {RunOptions::Lanes::outer, RunOptions::Lanes::innermost, RunOptions::Lanes::mixed}) {
    INFO(reference::to_string(size) << ", lanes " << int(lanes) << "\n" << to_c_text(kernel));
    const reference::TreeRun run = run_tree(kernel, size, buffers, {lanes, 7});
    CHECK(run.findings == std::vector<std::string>{});
    CHECK(reference::first_wrong_place(expected, run) == "");
    CHECK(reference::differences_from_theta(reference::with_initial_values(program),
                                            *program.algorithm, size, run.trace,
                                            idle) == std::vector<std::string>{});
    CHECK(!run.failed);
  }
}

// for i < N: for lower <= k < upper: S(i, k) = 3 S(i - 1, k - 1) + 1 if that exists, else in(i, k):
// the lanes of i need each other's values, in the order of k.
Program diagonals(const Expr& lower, const Expr& upper, const Expr& has_source) {
  const Var i = test::range("i", "N"), k("k", lower, upper);
  const Expr n = parameter("N");
  Program program = with_input(test::empty_program({"N"}), "in", f32, {n, n}, test::asked);
  return test::define(
      program, "S", {i, k},
      select(has_source, test::at("S", {i - 1, k - 1}) * 3.0f + 1.0f, test::at("in", {i, k})));
}

const Expr i = variable("i"), k = variable("k");

Program lower_triangle() { return diagonals(0, i + 1, k > 0); }
Program upper_triangle() { return diagonals(i, parameter("N"), i > 0); }

Kernel checked_kernel(Program program) {
  program = finished(vectorize(program, {"S", "i"}, 4), {"in", "S"}, {});
  const Kernel kernel = lower(program, {{"in", "S"}});
  for (std::int64_t n : {0, 1, 4, 11}) check_kernel(program, kernel, {{"N", n}});
  return kernel;
}

bool has_lane_after_lane(const Kernel& kernel) {
  return to_c_text(kernel).find("one lane at a time") != std::string::npos;
}

}  // namespace

TEST_CASE("lanes whose inner loops only end elsewhere stay in lockstep", "[judge][agreement]") {
  CHECK_FALSE(has_lane_after_lane(checked_kernel(lower_triangle())));
}

TEST_CASE("lanes whose inner loops begin elsewhere run one after the other", "[judge][agreement]") {
  CHECK(has_lane_after_lane(checked_kernel(upper_triangle())));
}

TEST_CASE("lanes whose inner loops end in the middle of an unrolled one", "[judge][agreement]") {
  checked_kernel(unroll(lower_triangle(), {"S", "k"}, 2));
  checked_kernel(split(lower_triangle(), {"S", "k"}, 3));
}

TEST_CASE("lanes that run an inner loop once each, at different iterations", "[judge][agreement]") {
  // S(i, i) = T(i - 1, i - 1) + 1 and T(i, i) = 2 S(i, i), in loops i and k = i: T of one lane
  // precedes S of the next one by the order of k, although no loop over k remains.
  reference::Handmade made({"N"});
  const Expr before = access("T", i64, {i - 1, k - 1});
  made.define("{ S[i, k] : 0 <= i < N and k = i }",
              select(i > 0, before, constant(i64, 5)) + constant(i64, 1),
              {"{ S[i, k] -> T[i - 1, k - 1] : i > 0 }"})
      .define("{ T[i, k] : 0 <= i < N and k = i }", constant(i64, 2) * access("S", i64, {i, k}),
              {"{ T[i, k] -> S[i, k] }"})
      .store("{ S[i, k] -> s[i] }", BufferRole::output)
      .store("{ T[i, k] -> t[i] }", BufferRole::output);
  const auto both = [&](const std::string& time) {
    return reference::Handmade::loop("k", {made.branch("{ S[i, k] -> " + time + " }"),
                                           made.branch("{ T[i, k] -> " + time + " }")});
  };
  made.reference({reference::Handmade::loop("i", {both("[i, k]")})});
  made.schedule({reference::Handmade::loop(
      "i", {reference::Handmade::loop("i_lane", {both("[floor(i/4), i mod 4, k]")},
                                      Processor::vector)})});
  const Program program = made.program();
  CHECK_FALSE(find_violation(program).has_value());
  for (std::int64_t n : {0, 1, 4, 9}) CHECK(reference::judge_schedule(program, {{"N", n}}).empty());
  const Kernel kernel = lower(program, {{"s", "t"}});
  CHECK(has_lane_after_lane(kernel));
  for (std::int64_t n : {0, 1, 4, 11}) check_kernel(program, kernel, {{"N", n}});
}

TEST_CASE("two lanes that are each higher on one of two levels collide", "[judge][agreement]") {
  Program program = vectorize(test::grid(), {"S", "i"}, 2);
  program = interchange(program, {"S", "i_lane"}, {"S", "j"});
  program = vectorize(program, {"S", "j"}, 2);
  const Var i("i"), j("j");
  const Program stored = store_in(program, "S", "b", {i, j}, {i + j}, unjudged);
  const auto refusal = find_violation(stored);
  REQUIRE(refusal.has_value());
  CHECK(refusal->code == Code::E0305_lanes_collide);
  const auto faults = reference::judge_schedule(stored, {{"N", 2}, {"M", 2}});
  REQUIRE_FALSE(faults.empty());
  CHECK(faults.front().fault == Fault::lanes_collide);
}

}  // namespace strata::test::judge_agreement_test
