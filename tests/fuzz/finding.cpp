#include "tests/fuzz/finding.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/stage.h"
#include "layers/text/text.h"
#include "schedule/table/command_table.h"
#include "tests/fuzz/autoscheduled.h"
#include "tests/fuzz/kept_executions.h"
#include "tests/fuzz/verdict.h"

namespace strata::fuzz {

namespace {

Program given(const Program& program, const DrawnCommand& drawn, Check check) {
  Command command = drawn.command;
  command.given = {{"drawn", 0}, check};
  return applied(program, command);
}

bool is_legality(Code code) { return int(code) >= 200; }

// What the command does to executions it must not do, legal or not.
std::optional<Found> wrong_executions(const Program& program, const Program& next,
                                      const DrawnCommand& command) {
  const std::string wrong = lost_or_repeated(program, next, command);
  if (wrong.empty()) return std::nullopt;
  return Found{FindingKind::mismatch, "executions", wrong};
}

JudgedCommand judge_accepted(const Program& program, const DrawnCommand& command, Program next,
                             bool oracle) {
  JudgedCommand judged{Verdict::accepted, std::move(next), {}, {}, {}};
  if (!oracle) return judged;
  judged.found = wrong_executions(program, *judged.next, command);
  if (judged.found) return judged;
  if (const auto fault = broken(*judged.next, Effort::accepted))
    judged.found = {FindingKind::illegal_accepted, reference::to_string(fault->violation.fault),
                    to_string(*fault)};
  return judged;
}

JudgedCommand judge_refused(const Program& program, const DrawnCommand& command,
                            const Error& refusal, bool oracle) {
  JudgedCommand judged{Verdict::inapplicable, {}, refusal.code(), {}, {}};
  if (!is_legality(refusal.code())) return judged;
  const auto next = unjudged_after(program, command);
  if (!next) return judged;
  judged.verdict = Verdict::refused;
  if (oracle) judged.found = wrong_executions(program, *next, command);
  if (judged.found || !oracle || broken(*next, refusal.refusal().witness)) return judged;
  judged.design = refused_by_design(refusal.code(), *next, refusal.refusal().witness);
  if (!judged.design)
    judged.found = {FindingKind::false_refusal, strata::to_string(refusal.code()), refusal.what()};
  return judged;
}

// The first line of the program's text that is another one once the text is parsed.
std::string changed_line(const Program& program) {
  const std::string text = strata::to_text(program);
  const std::string again = strata::to_text(parse_program(std::make_shared<Session>(), text));
  if (text == again) return "";
  const auto [in_text, in_again] =
      std::mismatch(text.begin(), text.end(), again.begin(), again.end());
  const auto begin = text.rfind('\n', std::size_t(in_text - text.begin()));
  return "parsed again, the text differs after: " + text.substr(begin + 1, 200);
}

std::optional<Found> too_slow(double seconds) {
  if (seconds <= most_seconds) return std::nullopt;
  return Found{FindingKind::mismatch, "time", fmt::format("it takes {:.1f} s of CPU", seconds)};
}

std::string commented(const std::string& text) {
  std::string result = "# ";
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "# ";
  }
  return result + "\n";
}

// The program after all commands, judged or not.
Program unjudged_program(const Finding& finding) {
  Program program = finding.start;
  for (const DrawnCommand& command : finding.commands)
    if (auto next = unjudged_after(program, command)) program = std::move(*next);
  return finding.wish ? after_wish(program, *finding.wish) : program;
}

}  // namespace

std::optional<Program> unjudged_after(const Program& program, const DrawnCommand& command) {
  try {
    return given(program, command, Check::deferred);
  } catch (const std::exception&) {  // what is not a refusal is a finding of its own
    return std::nullopt;
  }
}

std::string to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::mismatch: return "mismatch";
    case FindingKind::illegal_accepted: return "illegal accepted";
    default: return "false refusal";
  }
}

JudgedCommand judge_command(const Program& program, const DrawnCommand& command, bool oracle) {
  try {
    const CpuTimer timer;
    std::optional<Error> refusal;
    std::optional<Program> next;
    try {
      next = given(program, command, Check::now);
    } catch (const Error& e) {
      refusal = e;
    }
    const double seconds = timer.seconds();
    JudgedCommand judged = next ? judge_accepted(program, command, *next, oracle)
                                : judge_refused(program, command, *refusal, oracle);
    judged.seconds = seconds;
    if (!judged.found) judged.found = too_slow(seconds);
    return judged;
  } catch (const std::exception& e) {
    const std::string what = command.command.text() + ": " + e.what();
    return {Verdict::inapplicable, {}, {}, {}, Found{FindingKind::mismatch, "exception", what}};
  }
}

JudgedProgram judge_program(const Program& program, Floats mode, const Compiler& compiler,
                            const Program* start, const std::vector<std::string>& arguments) {
  JudgedProgram judged;
  try {
    judged.differential = differential(program, mode, compiler, arguments);
    const Differential& d = judged.differential;
    if (!d.mismatches.empty())
      judged.found = {FindingKind::mismatch, "compiled", d.mismatches.front()};
    if (const std::string text = start ? difference_of_values(*start, program) : ""; !text.empty())
      judged.found = {FindingKind::mismatch, "values", text};
    if (const std::string line = changed_line(program); !line.empty())
      judged.found = {FindingKind::mismatch, "text", line};
    if (!d.illegal.empty())
      judged.found = {FindingKind::illegal_accepted, "finished", d.illegal.front()};
    if (!judged.found) judged.found = too_slow(d.seconds);
  } catch (const std::exception& e) {
    judged.found = {FindingKind::mismatch, "exception when compiled", e.what()};
  }
  return judged;
}

std::optional<Found> replay(const Finding& finding, const Compiler& compiler) {
  const auto same = [&](const std::optional<Found>& found) {
    return found && found->kind == finding.found.kind && found->name == finding.found.name;
  };
  Program program = finding.start;
  for (const DrawnCommand& command : finding.commands) {
    JudgedCommand judged = judge_command(program, command);
    if (same(judged.found)) return judged.found;
    if (judged.next) program = std::move(*judged.next);
  }
  const JudgedProgram judged =
      finding.wish
          ? judge_wish(program, *finding.wish, finding.mode, compiler, finding.start).judged
          : judge_program(program, finding.mode, compiler, &finding.start);
  return same(judged.found) ? judged.found : std::nullopt;
}

std::string to_text(const Finding& finding) {
  return commented(fmt::format("{}, program {}\n{}", to_string(finding.found.kind), finding.seed,
                               finding.found.what)) +
         strata::to_text(unjudged_program(finding));
}

}  // namespace strata::fuzz
