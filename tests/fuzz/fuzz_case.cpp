#include "tests/fuzz/fuzz_case.h"

#include <isl/ctx.h>

#include <atomic>
#include <chrono>

namespace strata::fuzz {

namespace {

// The set library of the case that runs, and whether it was interrupted.
std::atomic<isl_ctx*> running = nullptr;
std::atomic<bool> interrupted = false;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Attempts at a command that applies, before a case ends.
constexpr int most_attempts = 40;

class Case {
 public:
  Case(std::uint64_t seed, const Options& options, Statistics& statistics)
      : random_(seed), seed_(seed), options_(options), statistics_(statistics) {}

  std::vector<Finding> run() {
    const judge::RememberedPoints remembered;
    const DrawnProgram drawn = draw_program(random_);
    start_ = drawn.program;
    running = start_->session->isl().get();
    mode_ = chance(random_, 50) ? FloatMode::exact : FloatMode::fast;
    ++statistics_.programs;
    for (const std::string& kind : drawn.kinds) ++statistics_.kinds[kind];
    schedule();
    note_case();
    if (options_.oracle) compare();
    running = nullptr;
    statistics_.interrupted += interrupted;
    return findings_;
  }

 private:
  void find(const Found& found, std::vector<DrawnCommand> commands) {
    findings_.push_back({found, seed_, *start_, std::move(commands), mode_});
    if (found.kind == FindingKind::mismatch) ++statistics_.mismatches;
    if (found.kind == FindingKind::illegal_accepted) ++statistics_.illegal_accepted;
    if (found.kind == FindingKind::false_refusal) ++statistics_.false_refusals[found.name];
  }

  void schedule() {
    Program program = *start_;
    const std::int64_t wanted = between(random_, 6, options_.most_commands);
    std::int64_t judged = 0;
    for (int attempt = 0; judged < wanted && attempt < most_attempts; ++attempt) {
      const DrawnCommand command = draw_command(random_, program);
      tell(program, command);
      const JudgedCommand verdict = judge_command(program, command, options_.oracle);
      note(command, verdict);
      if (interrupted) return;
      if (verdict.verdict != Verdict::inapplicable) ++judged;
      if (verdict.found && verdict.found->kind != FindingKind::false_refusal) return;
      if (verdict.next) program = *verdict.next;
    }
    final_ = program;
  }

  void tell(const Program& program, const DrawnCommand& command) const {
    if (!options_.tell) return;
    const auto next = unjudged_after(program, command);
    options_.tell(next ? next->history.back() : command.kind + ", which does not apply");
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
    for (const std::string& kind : accepted_kinds_)
      ++statistics_.commands[kind].accepting_programs;
    ++statistics_.accepted_in_a_program[std::int64_t(accepted_.size())];
  }

  void compare() {
    if (!final_) return;
    const bool by_machine = chance(random_, options_.percent_by_machine);
    const JudgedProgram judged =
        judge_program(*final_, mode_, by_machine ? options_.compiler : Compiler(), &*start_);
    if (interrupted) return;
    const Differential& d = judged.differential;
    statistics_.compiled += d.compiled;
    statistics_.by_machine += d.by_machine;
    if (!d.not_compiled.empty()) ++statistics_.not_compiled[d.not_compiled];
    if (judged.found) find(*judged.found, accepted_);
  }

  Random random_;
  const std::uint64_t seed_;
  const Options& options_;
  Statistics& statistics_;
  std::optional<Program> start_, final_;
  FloatMode mode_ = FloatMode::exact;
  std::vector<DrawnCommand> accepted_;
  std::set<std::string> judged_kinds_, accepted_kinds_;
  std::vector<Finding> findings_;
};

}  // namespace

void interrupt_case() {
  interrupted = true;
  if (isl_ctx* ctx = running) isl_ctx_abort(ctx);
}

std::vector<Finding> run_case(std::uint64_t seed, const Options& options, Statistics& statistics) {
  const auto start = std::chrono::steady_clock::now();
  interrupted = false;
  const auto findings = Case(seed, options, statistics).run();
  const double seconds = seconds_since(start);
  if (seconds > statistics.slowest) statistics.slowest = seconds, statistics.slowest_seed = seed;
  return findings;
}

}  // namespace strata::fuzz
