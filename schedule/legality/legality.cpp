#include "schedule/legality/legality.h"

#include <algorithm>

#include "schedule/legality/automatic_places.h"
#include "schedule/legality/proved.h"

namespace strata {

namespace {

Error out_of_budget(const std::string& question) {
  return Error({Code::E0901_out_of_budget,
                "",
                question + " is too hard to decide within the budget",
                std::nullopt,
                "raise the budget with set_budget, or simplify the domain or the schedule",
                {}});
}

// What is asked then, in words.
std::string subject_of(Asked asked, const Program& program) {
  if (asked == Asked::of_outputs) return "what the outputs of " + program.name + " end with";
  if (asked == Asked::of_exact_sums) return "in which order " + program.name + " adds floats";
  return "whether " + program.name + " is legal";
}

// Asks within the session's budget; E0901, naming the question, where that is not enough.
template <typename Ask>
void within_budget(const Program& program, Asked asked, Ask ask) {
  if (!program.session->within_budget(ask)) throw out_of_budget(subject_of(asked, program));
}

// Asks the questions of sets of that time, until one returns false.
void ask_all(const Scheduled& scheduled, Asked asked, const Found& found) {
  const auto& all = questions();
  std::all_of(all.begin(), all.end(), [&](const Question& question) {
    return question.asked != asked || !question.ask || question.ask(scheduled, found);
  });
}

// What is left of a violation outside the waivers, or nothing.
std::optional<Violation> outside_waivers(Violation violation, const Program& program) {
  isl::union_map left = violation.pairs.to_union_map();
  for (const Waiver& waiver : program.waivers) left = left.subtract(waiver.violations);
  if (left.is_empty()) return std::nullopt;
  violation.pairs = left.as_map();
  return violation;
}

Verdict answer(const Program& program, Asked asked) {
  Verdict verdict;
  within_budget(program, asked, [&] {
    const Program stored = with_automatic_places(program);
    const Scheduled scheduled(stored);
    bool waived = false;
    ask_all(scheduled, asked, [&](Violation v) {
      verdict.violation = outside_waivers(std::move(v), program);
      waived = waived || !verdict.violation;
      return !verdict.violation;
    });
    if (verdict.violation || waived) return;
    verdict.proved = std::make_shared<const Proved>(
        Proved{program.algorithm, scheduled.mapping(), stored.layout});
  });
  return verdict;
}

}  // namespace

void require_rules(const Program& program, Asked asked, const Request& request) {
  within_budget(program, asked, [&] {
    for (const Question& question : questions())
      if (question.asked == asked && question.verify) question.verify(program, request);
  });
}

Verdict verdict_of(const Program& program) { return answer(program, Asked::unless_waived); }

std::optional<Violation> find_violation(const Program& program, Asked asked) {
  return answer(program, asked).violation;
}

std::vector<Violation> find_violations(const Program& program) {
  std::vector<Violation> all;
  within_budget(program, Asked::unless_waived, [&] {
    const Program stored = with_automatic_places(program);
    ask_all(Scheduled(stored), Asked::unless_waived, [&](Violation v) {
      all.push_back(std::move(v));
      return true;
    });
  });
  return all;
}

}  // namespace strata
