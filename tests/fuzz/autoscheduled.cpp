#include "tests/fuzz/autoscheduled.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/stage.h"
#include "layers/text/text.h"
#include "schedule/finish.h"
#include "schedule/table/command_text.h"
#include "schedule/table/replay.h"
#include "tests/fuzz/verdict.h"

namespace strata::fuzz {

namespace {

// Of CPU, for one call; the sanitizers' code takes longer.
constexpr double most_seconds_of_search = 4 * most_seconds;

const Given drawn_here{{"drawn", 0}, Check::now};

bool is_named(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The buffers of computations that are not arguments yet; each is one with this probability.
std::set<std::string> draw_arguments(Random& random, const Program& program, std::int64_t percent) {
  const std::vector<std::string> usual = usual_arguments(program);
  std::set<std::string> drawn;
  for (const Definition& d : program.algorithm->definitions) {
    const std::string buffer = buffer_of(program.layout, d.array);
    const LayoutBuffer* const given = program.layout.find(buffer);
    const bool is_placed = (given && given->memory != Memory::automatic) ||
                           !allocating_loops(program.mapping, buffer).empty();
    if (!is_placed && !is_named(usual, buffer) && chance(random, percent)) drawn.insert(buffer);
  }
  return drawn;
}

std::set<std::string> draw_left(Random& random, const Program& program) {
  std::set<std::string> left;
  for (const Definition& d : program.algorithm->definitions)
    if (!d.is_initial && chance(random, 30)) left.insert(d.name);
  return left;
}

std::map<std::string, std::int64_t> draw_sizes(Random& random, const Program& program) {
  std::map<std::string, std::int64_t> sizes;
  for (const std::string& name : program.algorithm->parameters)
    if (chance(random, 50)) sizes[name] = one_of(random, std::vector<std::int64_t>{7, 64, 2000});
  return sizes;
}

// Can the kernel be made?  If not, why.
std::string why_not_compiled(const Program& program, const std::vector<std::string>& arguments,
                             Floats mode) {
  try {
    const Program ready = finished(program, arguments, drawn_here);
    if (mode == Floats::exact) require_sums_in_order(ready, arguments, drawn_here);
    lower(ready, LowerOptions{arguments, mode, {"lower", {}}});
    return "";
  } catch (const Error& e) {
    return strata::to_string(e.code());
  }
}

// "product: E0202", of a candidate "product of c: tiles of 6 x 32".
std::string refused_by_rule(const Report::Tried& tried) {
  const std::string rules = tried.text.substr(0, tried.text.find(" of "));
  const std::string outcome = tried.outcome.substr(std::string("refused: ").size());
  return rules + ": " + outcome.substr(0, outcome.find_first_of(" ,"));
}

// A group of the commands, as a history has it; nothing if there are none.
std::vector<std::string> group_of(const std::vector<std::string>& commands) {
  if (commands.empty()) return {};
  std::vector<std::string> lines = commands;
  lines.insert(lines.begin(), group_begin);
  lines.push_back(group_end);
  return lines;
}

// What is wrong with the choice, before its program is judged.
std::string wrong_choice(const Program& program, const Automatic& automatic) {
  const std::vector<std::string>& history = automatic.program.history;
  std::vector<std::string> expected = program.history;
  std::string group;
  for (const std::string& line : group_of(automatic.report.commands)) {
    expected.push_back(line);
    group += line + "\n";
  }
  if (history != expected) return "the commands of its report are not those of the program";
  if (automatic.report.changed != (history != program.history)) return "it says changed in vain";
  if (to_text(replayed(program, group, drawn_here)) != to_text(automatic.program))
    return "its commands replay to another program";
  return "";
}

std::optional<Found> judged_choice(const Program& program, const JudgedWish& judged) {
  if (const std::string wrong = wrong_choice(program, judged.automatic); !wrong.empty())
    return Found{FindingKind::mismatch, "autoschedule", wrong};
  if (judged.seconds > most_seconds_of_search)
    return Found{FindingKind::mismatch, "autoschedule takes long",
                 fmt::format("it takes {:.1f} s of CPU", judged.seconds)};
  const auto fault = broken(judged.automatic.program, Effort::accepted);
  if (!fault) return std::nullopt;
  return Found{FindingKind::illegal_accepted, reference::to_string(fault->violation.fault),
               to_string(*fault)};
}

}  // namespace

Wish draw_wish(Random& random, const Program& program, Floats mode) {
  Wish wish;
  wish.cpu = one_of(random, std::vector<std::string>{"znver4", "haswell", "skylake-avx512",
                                                     "neoverse-v1", "x86-64"});
  AutomaticOptions& options = wish.options;
  options.threads = one_of(random, std::vector<int>{1, 2, 16});
  options.floats = mode;
  options.only_plain = chance(random, 5);
  options.arguments = draw_arguments(random, program, chance(random, 50) ? 0 : 50);
  if (chance(random, 10)) options.leave = draw_left(random, program);
  if (chance(random, 30)) options.sizes = draw_sizes(random, program);
  options.request = {"autoschedule", {"drawn", 0}};
  try {
    sizes_checked(program, options);
  } catch (const Error&) {  // they contradict what is assumed
    options.sizes.clear();
  }
  return wish;
}

std::vector<std::string> arguments_of(const Program& program, const Wish& wish) {
  std::vector<std::string> names = usual_arguments(program);
  for (const std::string& name : wish.options.arguments)
    if (!is_named(names, name)) names.push_back(name);
  return names;
}

std::vector<std::string> rules_of(const Report& report) {
  std::vector<std::string> rules;
  for (const Report::Tried& tried : report.tried) {
    if (tried.outcome != "chosen") continue;
    std::string_view left = tried.text;
    while (!left.empty()) {
      rules.emplace_back(left.substr(0, left.find(" of ")));
      const auto end = left.find("; ");
      left = end == left.npos ? std::string_view() : left.substr(end + 2);
    }
  }
  return rules;
}

Program after_wish(const Program& program, const Wish& wish) {
  try {
    return autoscheduled(program, machine(wish.cpu), wish.options).program;
  } catch (const std::exception&) {  // a finding of its own
    return program;
  }
}

JudgedWish judge_wish(const Program& program, const Wish& wish, Floats mode,
                      const Compiler& compiler, const Program& start) {
  JudgedWish judged;
  judged.automatic.program = program;
  const auto found = [&](const std::string& name, const std::string& what) {
    judged.judged.found = Found{FindingKind::mismatch, name, what};
    return judged;
  };
  try {
    const CpuTimer timer;
    judged.automatic = autoscheduled(program, machine(wish.cpu), wish.options);
    judged.seconds = timer.seconds();
    for (const Report::Tried& tried : judged.automatic.report.tried)
      if (tried.outcome.starts_with("refused: ")) judged.refused.push_back(refused_by_rule(tried));
    judged.judged.found = judged_choice(program, judged);
    if (judged.judged.found) return judged;
    std::vector<std::string> arguments = arguments_of(program, wish);
    const bool could_be_compiled = why_not_compiled(program, arguments, mode).empty();
    if (!could_be_compiled) arguments.clear();  // a command before has put one of them elsewhere
    judged.judged = judge_program(judged.automatic.program, mode, compiler, &start, arguments);
    const std::string& refusal = judged.judged.differential.not_compiled;
    if (!judged.judged.found && !refusal.empty() && could_be_compiled)
      return found("autoscheduled, and not compiled", refusal);
    return judged;
  } catch (const std::exception& e) {
    return found("autoschedule fails", e.what());
  }
}

}  // namespace strata::fuzz
