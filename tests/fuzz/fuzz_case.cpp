#include "tests/fuzz/fuzz_case.h"

#include <isl/ctx.h>

#include <atomic>
#include <chrono>

#include "layers/verify/relation_sizes.h"
#include "tests/fuzz/autoscheduled.h"
#include "tests/fuzz/double_rfactor.h"
#include "tests/fuzz/draw_copies.h"
#include "tests/fuzz/draw_launch.h"
#include "tests/fuzz/draw_steps.h"
#include "tests/fuzz/drawn_case.h"
#include "tests/fuzz/operations.h"

namespace strata::fuzz {

namespace {

// The isl context of the running case, and whether the case was interrupted.
std::atomic<isl_ctx*> running = nullptr;
std::atomic<bool> interrupted = false;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The maximum number of commands drawn in a case, applicable or not.
constexpr int most_attempts = 40;

class Case {
 public:
  Case(std::uint64_t seed, const Options& options, Statistics& statistics)
      : random_(seed),
        of_wishes_(seed ^ 0x428a2f98d728ae22),
        seed_(seed),
        options_(options),
        statistics_(statistics) {}

  std::vector<Finding> run() {
    const reference::RememberedPoints remembered;
    const DrawnProgram drawn = draw_program(random_);
    start_ = drawn.program;
    running = start_->session->isl().get();
    mode_ = chance(random_, 50) ? Floats::exact : Floats::fast;
    ++statistics_.programs;
    for (const std::string& kind : drawn.kinds) ++statistics_.kinds[kind];
    if (schedules_itself()) {
      autoschedule();
      return end();
    }
    schedule();
    note_case();
    if (options_.oracle) compare(chance(random_, options_.percent_by_machine));
    return end();
  }

  // A program whose commands are drawn with it, and whose kernel always runs.
  std::vector<Finding> run(const DrawnCase& drawn) {
    const reference::RememberedPoints remembered;
    start_ = drawn.program;
    running = start_->session->isl().get();
    mode_ = drawn.mode.value_or(chance(random_, 50) ? Floats::exact : Floats::fast);
    for (const std::string& kind : drawn.kinds) ++statistics_.kinds[kind];
    if (schedules_itself()) {
      autoschedule();
      return end();
    }
    Program program = *start_;
    for (const DrawnCommand& command : drawn.commands)
      if (!give(program, command)) return end();
    final_ = program;
    if (options_.oracle) compare(true);
    return end();
  }

 private:
  std::vector<Finding> end() {
    running = nullptr;
    statistics_.interrupted += interrupted;
    return findings_;
  }

  void find(const Found& found, std::vector<DrawnCommand> commands,
            const std::optional<Wish>& wish = {}) {
    findings_.push_back({found, seed_, *start_, std::move(commands), mode_, wish});
    if (found.kind == FindingKind::mismatch) ++statistics_.mismatches;
    if (found.kind == FindingKind::illegal_accepted) ++statistics_.illegal_accepted;
    if (found.kind == FindingKind::false_refusal) ++statistics_.false_refusals[found.name];
  }

  // The stream of programs that schedule themselves, so that the others stay the same.
  bool schedules_itself() { return chance(of_wishes_, options_.percent_autoscheduled); }

  // After up to three commands.
  void autoschedule() {
    Program program = *start_;
    const std::int64_t most = chance(of_wishes_, 30) ? 3 : 0;
    for (int n = 0; n < most; ++n)
      if (!give(program, draw_command(of_wishes_, program, Hardware::cpu))) return;
    const bool by_machine = chance(of_wishes_, options_.percent_by_machine);
    const Wish wish = draw_wish(of_wishes_, program, mode_);
    if (options_.on_command) options_.on_command("autoschedule for " + wish.cpu);
    const JudgedWish judged =
        judge_wish(program, wish, mode_, by_machine ? options_.compiler : Compiler(), *start_);
    if (interrupted) return;
    note(judged);
    if (judged.judged.found) find(*judged.judged.found, accepted_, wish);
  }

  void note(const JudgedWish& wish) {
    AutoscheduleCount& count = statistics_.autoscheduled;
    const Report& report = wish.automatic.report;
    if (options_.on_command)
      for (const Report::Tried& tried : report.tried)
        options_.on_command("  " + tried.text + ": " + tried.outcome);
    const Differential& d = wish.judged.differential;
    ++count.programs;
    count.changed += report.changed;
    count.compiled += d.compiled;
    count.by_machine += d.by_machine;
    if (wish.seconds > count.slowest) count.slowest = wish.seconds, count.slowest_seed = seed_;
    for (const std::string& rule : rules_of(report)) ++count.chosen[rule];
    for (const std::string& refusal : wish.refused) ++count.refused[refusal];
    if (!d.not_compiled.empty()) ++statistics_.not_compiled[d.not_compiled];
  }

  void schedule() {
    Program program = *start_;
    if (!give_double_rfactor(program) || !give_launch(program)) return;
    const std::int64_t wanted = between(random_, 6, options_.most_commands);
    std::int64_t judged = 0;
    for (int attempt = 0; judged < wanted && attempt < most_attempts; ++attempt) {
      const DrawnCommand command = draw_command(random_, program, hardware_of(seed_));
      const auto verdict = give(program, command);
      if (!verdict) return;
      if (*verdict != Verdict::inapplicable) ++judged;
    }
    final_ = program;
  }

  // Drawn from a random stream of its own, so that the commands of other programs stay the same.
  // Returns false to end the case.
  bool give_double_rfactor(Program& program) {
    Random random(seed_ ^ 0xd1342543de82ef95);
    if (!chance(random, 9)) return true;
    return give_all(program, draw_double_rfactor(random, program), "double rfactor");
  }

  bool give_launch(Program& program) {
    if (hardware_of(seed_) != Hardware::gpu || !chance(random_, 60)) return true;
    return give_all(program, draw_launch(random_, program), "launch");
  }

  // Up to one that is not accepted. Returns false to end the case.
  bool give_all(Program& program, const std::vector<DrawnCommand>& commands, const char* kind) {
    for (const DrawnCommand& command : commands) {
      const auto verdict = give(program, command);
      if (!verdict || *verdict != Verdict::accepted) return verdict.has_value();
    }
    if (!commands.empty()) ++statistics_.kinds[kind];
    return true;
  }

  // Judges the command, and applies it if accepted; nothing if the case ends.
  std::optional<Verdict> give(Program& program, const DrawnCommand& command) {
    report(program, command);
    const JudgedCommand judged = judge_command(program, command, options_.oracle);
    note(command, judged);
    note_time(judged.seconds, command.command.text());
    if (interrupted) return std::nullopt;
    if (judged.found && judged.found->kind != FindingKind::false_refusal) return std::nullopt;
    if (judged.next) {
      program = *judged.next;
      note_sizes(program);
    }
    return judged.verdict;
  }

  void note_time(double seconds, const std::string& what) {
    SlowestCall& slowest = statistics_.slowest_call;
    if (!interrupted && seconds > slowest.seconds) slowest = {seconds, what, seed_};
  }

  void note_sizes(const Program& program) {
    for (const SizedRelation& relation : relation_sizes(program)) {
      const auto note = [&](LargestRelation& largest, int count) {
        if (count > largest.count) largest = {count, relation.what, seed_};
      };
      note(statistics_.most_disjuncts, relation.size.disjuncts);
      note(statistics_.most_existentials, relation.size.existentials);
    }
  }

  void report(const Program& program, const DrawnCommand& command) const {
    if (!options_.on_command) return;
    const auto next = unjudged_after(program, command);
    options_.on_command(command.command.text() + (next ? "" : ", which does not apply"));
  }

  void note(const DrawnCommand& command, const JudgedCommand& judged) {
    if (interrupted) return;
    CommandCount& count = statistics_.commands[command.kind];
    std::vector<DrawnCommand> commands = accepted_;
    commands.push_back(command);
    if (judged.found) find(*judged.found, commands);
    if (judged.design) ++statistics_.by_design[*judged.design];
    if (judged.verdict == Verdict::inapplicable) {
      ++count.inapplicable;
      return;
    }
    judged_kinds_.insert(command.kind);
    if (judged.verdict == Verdict::refused) {
      ++count.refused, ++statistics_.refused, ++statistics_.codes[strata::to_string(*judged.code)];
      return;
    }
    ++count.accepted, ++statistics_.accepted;
    accepted_kinds_.insert(command.kind);
    accepted_ = std::move(commands);
  }

  void note_case() {
    for (const std::string& kind : judged_kinds_) ++statistics_.commands[kind].programs;
    for (const std::string& kind : accepted_kinds_) ++statistics_.commands[kind].accepting_programs;
    ++statistics_.accepted_in_a_program[std::int64_t(accepted_.size())];
  }

  void compare(bool by_machine) {
    if (!final_) return;
    const JudgedProgram judged =
        judge_program(*final_, mode_, by_machine ? options_.compiler : Compiler(), &*start_);
    if (interrupted) return;
    const Differential& d = judged.differential;
    note_time(d.seconds, "code generation");
    statistics_.compiled += d.compiled;
    statistics_.on_ranks += d.runs_on_ranks;
    statistics_.by_machine += d.by_machine;
    if (!d.not_compiled.empty()) ++statistics_.not_compiled[d.not_compiled];
    if (!d.copies_refused.empty()) ++statistics_.copies_refused[d.copies_refused];
    if (judged.found) find(*judged.found, accepted_);
  }

  Random random_, of_wishes_;
  const std::uint64_t seed_;
  const Options& options_;
  Statistics& statistics_;
  std::optional<Program> start_, final_;
  Floats mode_ = Floats::exact;
  std::vector<DrawnCommand> accepted_;
  std::set<std::string> judged_kinds_, accepted_kinds_;
  std::vector<Finding> findings_;
};

// Drawn from random streams of their own, so that the program of each seed stays the same.
std::vector<DrawnCase> further_cases(std::uint64_t seed) {
  std::vector<DrawnCase> all;
  if (Random random(seed ^ 0x3c6ef372fe94f82b); chance(random, 15))
    all.push_back(draw_lanes(random));
  if (Random random(seed ^ 0x78dde6e5fd29f054); chance(random, 10))
    all.push_back(draw_gather(random));
  if (Random random(seed ^ 0x9b05688c2b3e6c1f); chance(random, 12))
    all.push_back({draw_operations(random, hardware_of(seed)), {"operations"}, Floats::exact});
  if (Random random(seed ^ 0x1f83d9abfb41bd6b); chance(random, 15))
    all.push_back(draw_calls(random));
  if (hardware_of(seed) != Hardware::gpu) return all;
  if (Random random(seed ^ 0xa54ff53a5f1d36f1); chance(random, 30))
    all.push_back({draw_steps(random), {"steps in launches"}, Floats::fast});
  if (Random random(seed ^ 0x510e527fade682d1); chance(random, 30))
    all.push_back({draw_copies(random), {"copies in launches"}, Floats::exact});
  if (Random random(seed ^ 0x5be0cd19137e2179); chance(random, 30))
    all.push_back({draw_warps(random), {"steps of warps"}, Floats::fast});
  if (Random random(seed ^ 0x6a09e667f3bcc908); chance(random, 30))
    all.push_back(draw_threads(random));
  return all;
}

}  // namespace

void interrupt_case() {
  interrupted = true;
  if (isl_ctx* ctx = running) isl_ctx_abort(ctx);
}

Hardware hardware_of(std::uint64_t seed) { return seed % 5 == 3 ? Hardware::gpu : Hardware::cpu; }

std::vector<Finding> run_case(std::uint64_t seed, const Options& options, Statistics& statistics) {
  const auto start = std::chrono::steady_clock::now();
  interrupted = false;
  std::vector<Finding> findings;
  if (options.general) findings = Case(seed, options, statistics).run();
  for (const DrawnCase& drawn : further_cases(seed)) {
    const auto more = Case(seed, options, statistics).run(drawn);
    findings.insert(findings.end(), more.begin(), more.end());
  }
  const double seconds = seconds_since(start);
  if (seconds > statistics.slowest) statistics.slowest = seconds, statistics.slowest_seed = seed;
  return findings;
}

}  // namespace strata::fuzz
