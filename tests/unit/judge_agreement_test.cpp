// The library held against the judges on programs and schedules made up by chance: what legality
// accepts no execution breaks, what it refuses some execution breaks, read relations are what is
// read, and the loop tree executes Theta and computes what the interpreter does.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "codegen/lower.h"
#include "layers/initial_values.h"
#include "schedule/commands/after.h"
#include "schedule/commands/allocate_at.h"
#include "schedule/commands/before.h"
#include "schedule/commands/compute_at.h"
#include "schedule/commands/distribute_loop.h"
#include "schedule/commands/fuse.h"
#include "schedule/commands/guard.h"
#include "schedule/commands/interchange.h"
#include "schedule/commands/mask.h"
#include "schedule/commands/parallelize.h"
#include "schedule/commands/reverse.h"
#include "schedule/commands/separate.h"
#include "schedule/commands/shift.h"
#include "schedule/commands/skew.h"
#include "schedule/commands/split.h"
#include "schedule/commands/store_in.h"
#include "schedule/commands/tile.h"
#include "schedule/commands/unroll.h"
#include "schedule/commands/vectorize.h"
#include "schedule/finish.h"
#include "schedule/legality/legality.h"
#include "tests/judge/dataflow.h"
#include "tests/judge/handmade.h"
#include "tests/judge/inputs.h"
#include "tests/judge/loop_tree_theta.h"
#include "tests/judge/random_program.h"
#include "tests/judge/shadow.h"
#include "tests/unit/programs.h"

using namespace strata;
using judge::between;
using judge::Fault;
using judge::one_of;
using judge::Parameters;
using judge::Random;
using judge::RunOptions;

namespace {

// Legality is asked by the test, not by the command.
const Given unjudged{{"random", 0}, Check::deferred};

// ---- random commands ----

struct Chosen {
  std::string definition;
  std::vector<std::string> loops;
};

Chosen random_branch(Random& random, const Program& program) {
  const judge::Leaf leaf = one_of(random, judge::leaves(program.mapping));
  Chosen chosen{leaf.branch->definition, {}};
  for (const Loop* loop : leaf.around) chosen.loops.push_back(loop->name);
  return chosen;
}

Program random_order(Random& random, const Program& program, const Chosen& a, const LoopRef& loop) {
  const Chosen b = random_branch(random, program);
  std::optional<std::string> shared = loop.loop;
  if (between(random, 0, 3) == 0) shared.reset();
  switch (between(random, 0, 3)) {
    case 0:
      return after(program, b.definition, a.definition, shared, unjudged);
    case 1:
      return before(program, b.definition, a.definition, shared, unjudged);
    case 2:
      return fuse(program, loop, {b.definition, one_of(random, b.loops)}, unjudged);
    default:
      return distribute_loop(program, loop, unjudged);
  }
}

Program random_tag(Random& random, const Program& program, const LoopRef& loop) {
  switch (between(random, 0, 3)) {
    case 0:
      return parallelize(program, loop, unjudged);
    case 1:
      return vectorize(program, loop, unjudged);
    case 2:
      return vectorize(program, loop, 2, "", "", unjudged);
    default:
      return unroll(program, loop, 2, "", "", unjudged);
  }
}

// A producer of the definition inside the loop, and sometimes inside one of another branch too.
Program random_recomputation(Random& random, const Program& program, const LoopRef& loop) {
  std::vector<std::string> producers;
  for (const Read& read : program.algorithm->find(loop.definition)->reads)
    if (const Definition* d = program.algorithm->find(read.producer); d && !d->is_initial)
      producers.push_back(d->name);
  if (producers.empty()) return program;
  std::vector<LoopRef> loops{loop};
  if (between(random, 0, 2) == 0) {
    const Chosen other = random_branch(random, program);
    loops.push_back({other.definition, one_of(random, other.loops)});
  }
  return compute_at(program, one_of(random, producers), loops, unjudged);
}

Program random_allocation(Random& random, const Program& program, const LoopRef& loop) {
  const std::string array = one_of(random, program.algorithm->definitions).array;
  if (between(random, 0, 3) == 0) return allocate_at(program, array, std::nullopt, unjudged);
  return allocate_at(program, array, loop, unjudged);
}

// ---- tiles of parametric sizes, and borders ----

bool has_tile_size(const Program& program) {
  const auto& names = program.algorithm->parameters;
  return std::find(names.begin(), names.end(), "T") != names.end();
}

std::vector<Parameters> sizes(const Program& program, std::int64_t n) {
  if (!has_tile_size(program)) return {{{"N", n}}};
  std::vector<Parameters> all;
  for (const auto& [t, u] : {std::pair(1, 1), {1, 40}, {40, 1}, {2, 3}, {40, 40}})
    all.push_back({{"N", n}, {"T", t}, {"U", u}});
  return all;
}

Program random_tiling(Random& random, const Program& program, const LoopRef& loop,
                      const LoopRef& inner) {
  const Param size("T"), other("U");
  switch (between(random, 0, 6)) {
    case 0:
    case 1:
      return split(program, loop, size, "", "", unjudged);
    case 2:
    case 3:
      return tile(program, {loop, inner}, {size, other}, {}, {}, unjudged);
    case 4:
      return separate(program, loop, unjudged);
    case 5:
      return guard(program, loop, unjudged);
    default:
      return mask(program, loop, unjudged);
  }
}

Program random_command(Random& random, const Program& program) {
  const Chosen a = random_branch(random, program);
  const std::size_t level = std::size_t(between(random, 0, std::int64_t(a.loops.size()) - 1));
  const LoopRef loop{a.definition, a.loops[level]};
  const LoopRef inner{a.definition, a.loops[std::min(level + 1, a.loops.size() - 1)]};
  if (has_tile_size(program) && between(random, 0, 2) == 0)
    return random_tiling(random, program, loop, inner);
  switch (between(random, 0, 19)) {
    case 14:
    case 15:
    case 16:
    case 17:
      return random_recomputation(random, program, loop);
    case 18:
      return random_allocation(random, program, loop);
    case 0:
      return interchange(program, loop, inner, unjudged);
    case 1:
      return reverse(program, loop, unjudged);
    case 2:
      return skew(program, loop, inner, 1, between(random, -1, 1), std::vector<std::string>{},
                  unjudged);
    case 3:
      return shift(program, loop, Expr(between(random, -2, 2)), unjudged);
    case 4:
      return split(program, loop, between(random, 2, 3), "", "", unjudged);
    case 5:
      return tile(program, {loop, inner}, {2, 2}, {}, {}, unjudged);
    case 6:
    case 7:
    case 8:
    case 9:
      return random_order(random, program, a, loop);
    default:
      return random_tag(random, program, loop);
  }
}

Program random_storage(Random& random, const Program& program) {
  const Definition& d = one_of(random, program.algorithm->definitions);
  const Var i("i"), j("j");
  const Expr x = i, y = j;
  const bool line = isl::map(d.defines).range_tuple_dim() == 1;
  const std::vector<std::vector<Expr>> of_line{{x}, {x % 2}, {x % 3}, {x * 0}};
  const std::vector<std::vector<Expr>> of_plane{{x, y}, {y, x}, {x % 2, y}, {x, y % 2},
                                                {y},    {x},    {x + y}};
  const auto places = one_of(random, line ? of_line : of_plane);
  const std::vector<std::string> names{"b_" + d.array, "b_" + d.array,
                                       "shared" + std::to_string(places.size()), "in"};
  return store_in(program, d.array, one_of(random, names),
                  line ? std::vector<Var>{i} : std::vector<Var>{i, j}, places, unjudged);
}

// ---- the questions ----

// The first violation at the smallest size up to "largest"; outputs are not known yet.
std::optional<judge::Violation> broken(const Program& program, std::int64_t largest) {
  for (std::int64_t n = 0; n <= largest; ++n)
    for (const Parameters& size : sizes(program, n))
      for (const judge::Violation& v : judge::judge_schedule(program, size))
        if (v.fault != Fault::output_lost && v.fault != Fault::not_scheduled) return v;
  return std::nullopt;
}

bool has_vector_loop(const Program& program) {
  for (const judge::Leaf& leaf : judge::leaves(program.mapping))
    for (const Loop* loop : leaf.around)
      if (loop->processor == Processor::vector) return true;
  return false;
}

bool runs_again(const Program& program) {
  std::set<std::pair<std::size_t, judge::Point>> all;
  for (const judge::Scheduled& s :
       judge::executions(program.mapping, *program.algorithm, {{"N", 3}, {"T", 2}, {"U", 2}}))
    if (!all.emplace(s.definition, s.instance).second) return true;
  return false;
}

// Refused though no execution breaks: values that run several times and share places with others,
// of which every execution is taken for the one that serves the reader; contributions in different lanes that no loop inside orders,
// which may be added up in any order; and values in different lanes that share a place, where
// every order of the lanes keeps them apart, each in another way.
bool refused_by_design(const strata::Violation& v, const Program& program) {
  if (v.code == Code::E0301_value_overwritten && runs_again(program)) return true;
  return has_vector_loop(program) &&
         (v.code == Code::E0207_reduction_concurrent || v.code == Code::E0301_value_overwritten);
}

// Does the library's verdict agree with the oracle's?  Returns whether the program is legal.
bool verdict(const Program& program) {
  const auto refusal = find_violation(program);
  const auto fault = broken(program, refusal ? 9 : 5);
  if (!refusal) {
    INFO((fault ? judge::to_string(*fault) : ""));
    CHECK_FALSE(fault.has_value());
  } else if (!refused_by_design(*refusal, program)) {
    INFO(to_string(refusal->code) << ": " << refusal->explanation);
    CHECK(fault.has_value());
  }
  return !refusal;
}

// A chain of commands, each judged, up to the first illegal one, which is left out.
Program scheduled(Random& random, Program program) {
  const bool storage = between(random, 0, 1) == 0;
  const std::int64_t steps = between(random, 0, 6);
  for (std::int64_t s = 0; s < steps; ++s) {
    Program next = program;
    try {
      next = storage && between(random, 0, 2) == 0 ? random_storage(random, program)
                                                   : random_command(random, program);
    } catch (const Error&) {
      continue;  // it names a loop that does not fit
    }
    for (const std::string& command : next.history) UNSCOPED_INFO(command);
    if (!verdict(next)) return program;
    program = next;
  }
  return program;
}

std::vector<std::string> arguments_of(const Program& program) {
  std::vector<std::string> arguments{"in"};
  for (const Definition& d : program.algorithm->definitions) {
    const auto stored = program.layout.store.find(d.array);
    const std::string buffer = stored == program.layout.store.end()
                                   ? d.array
                                   : isl::map(stored->second).range_tuple_id().name();
    if (std::find(arguments.begin(), arguments.end(), buffer) == arguments.end())
      arguments.push_back(buffer);
  }
  return arguments;
}

// The kernel executes Theta and computes what the interpreter does, in every order of its lanes.
void check_kernel(const Program& program, const Kernel& kernel, const Parameters& size) {
  const auto inputs = judge::random_inputs(program, size, 5);
  judge::Instances idle;
  const auto expected = judge::final_contents(
      program, size, judge::run(program, size, inputs, {}, {}, &idle));
  const auto buffers = judge::input_buffers(program, size, inputs);
  for (auto lanes :
       {RunOptions::Lanes::outer, RunOptions::Lanes::innermost, RunOptions::Lanes::mixed}) {
    INFO(judge::to_string(size) << ", lanes " << int(lanes) << "\n" << to_c_text(kernel));
    const judge::TreeRun run = run_tree(kernel, size, buffers, {lanes, 7});
    CHECK(run.findings == std::vector<std::string>{});
    CHECK(judge::first_wrong_place(expected, run) == "");
    CHECK(judge::differences_from_theta(complete_mapping(program), *program.algorithm, size,
                                        run.trace, idle) == std::vector<std::string>{});
    CHECK(!run.failed);
  }
}

void check_generated(const Program& program) {
  const auto arguments = arguments_of(program);
  Program complete = program;
  try {
    complete = finished(program, arguments, {});
  } catch (const Error&) {
    return;  // outputs in their plain layout are illegal under this schedule, or lost
  }
  for (std::int64_t n = 0; n <= 4; ++n)
    for (const Parameters& size : sizes(complete, n))
      CHECK(judge::judge_schedule(complete, size).empty());
  const Kernel kernel = lower(complete, {arguments});
  for (std::int64_t n : {0, 1, 3, 5})
    for (const Parameters& size : sizes(complete, n)) check_kernel(complete, kernel, size);
}

// STRATA_SEEDS="first count" draws others.
std::pair<std::uint64_t, std::uint64_t> seeds() {
  unsigned long first = 1, count = 90;
  if (const char* given = std::getenv("STRATA_SEEDS"))
    std::sscanf(given, "%lu %lu", &first, &count);
  return {first, count};
}

}  // namespace

TEST_CASE("judges and library agree on random programs", "[judge][agreement]") {
  const auto [first, count] = seeds();
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const Program program = judge::random_program(random);
    if (program.algorithm->definitions.empty()) continue;
    for (std::int64_t n : {1, 3}) {
      const Parameters size{{"N", n}};
      CHECK(judge::dataflow_differences(program, size, judge::random_inputs(program, size)) ==
            std::vector<std::string>{});
    }
    check_generated(scheduled(random, program));
  }
}

TEST_CASE("judges and library agree on tiles of parametric sizes", "[judge][agreement][tiles]") {
  const auto [first, count] = seeds();
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    Program program = with_parameter(judge::random_program(random), "T", test::asked);
    program = with_parameter(program, "U", test::asked);
    if (!program.algorithm->definitions.empty()) check_generated(scheduled(random, program));
  }
}

namespace {

// for i < N: for lower <= k < upper: S(i, k) = 3 S(i - 1, k - 1) + 1, where that exists, else
// in(i, k): the lanes of i need each other's values, in the order of k.
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
  return to_c_text(kernel).find("lane after lane") != std::string::npos;
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
  // comes before S of the next one by the order of k, though no loop over k is left.
  judge::Handmade made({"N"});
  const Expr before = access("T", i64, {i - 1, k - 1});
  made.define("{ S[i, k] : 0 <= i < N and k = i }",
              select(i > 0, before, constant(i64, 5)) + constant(i64, 1),
              {"{ S[i, k] -> T[i - 1, k - 1] : i > 0 }"})
      .define("{ T[i, k] : 0 <= i < N and k = i }", constant(i64, 2) * access("S", i64, {i, k}),
              {"{ T[i, k] -> S[i, k] }"})
      .store("{ S[i, k] -> s[i] }", BufferRole::output)
      .store("{ T[i, k] -> t[i] }", BufferRole::output);
  const auto both = [&](const std::string& time) {
    return judge::Handmade::loop("k", {made.branch("{ S[i, k] -> " + time + " }"),
                                       made.branch("{ T[i, k] -> " + time + " }")});
  };
  made.reference({judge::Handmade::loop("i", {both("[i, k]")})});
  made.schedule({judge::Handmade::loop(
      "i",
      {judge::Handmade::loop("i_lane", {both("[floor(i/4), i mod 4, k]")}, Processor::vector)})});
  const Program program = made.program();
  CHECK(verdict(program));
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
  const auto faults = judge::judge_schedule(stored, {{"N", 2}, {"M", 2}});
  REQUIRE_FALSE(faults.empty());
  CHECK(faults.front().fault == Fault::lanes_collide);
}
