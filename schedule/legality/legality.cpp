#include "schedule/legality/legality.h"

#include <algorithm>

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

// The subject of those questions, for messages.
std::string subject_of(Asked asked, const Program& program) {
  if (asked == Asked::of_outputs) return "what the outputs of " + program.name + " end with";
  if (asked == Asked::of_exact_sums) return "in which order " + program.name + " adds floats";
  return "whether " + program.name + " is legal";
}

// Calls "ask" within the session's budget; E0901, naming the question, if that runs out.
template <typename Ask>
void within_budget(const Program& program, Asked asked, Ask ask) {
  if (!program.session->within_budget(ask)) throw out_of_budget(subject_of(asked, program));
}

// Asks the questions about sets of that time, until one returns false.
void ask_all(const Scheduled& scheduled, Asked asked, const Found& found) {
  const auto& all = questions();
  std::all_of(all.begin(), all.end(), [&](const Question& question) {
    return question.asked != asked || !question.ask || question.ask(scheduled, found);
  });
}

// The part of a violation that no waiver covers, if any.
std::optional<Violation> outside_waivers(Violation violation, const Program& program) {
  if (!violation.of_instances) return violation;
  isl::union_map left = violation.pairs.to_union_map();
  for (const Waiver& waiver : program.waivers) left = left.subtract(waiver.violations);
  if (left.is_empty()) return std::nullopt;
  violation.pairs = left.as_map();
  return violation;
}

}  // namespace

void require_rules(const Program& program, Asked asked, const Request& request) {
  within_budget(program, asked, [&] {
    for (const Question& question : questions())
      if (question.asked == asked && question.verify) question.verify(program, request);
  });
}

const Scheduled& Judgement::view() {
  if (!view_) view_ = std::make_unique<const Scheduled>(program_);
  return *view_;
}

std::optional<Violation> Judgement::first(Asked asked) {
  std::optional<Violation> violation;
  bool any = false;
  within_budget(program_, asked, [&] {
    ask_all(view(), asked, [&](Violation v) {
      any = true;
      violation = outside_waivers(std::move(v), program_);
      return !violation;
    });
  });
  legal_ = asked == Asked::unless_waived && !any;
  return violation;
}

std::vector<Violation> Judgement::all() {
  std::vector<Violation> all;
  within_budget(program_, Asked::unless_waived, [&] {
    ask_all(view(), Asked::unless_waived, [&](Violation v) {
      all.push_back(std::move(v));
      return true;
    });
  });
  return all;
}

std::shared_ptr<const Proved> Judgement::proved() const {
  return legal_ ? view_->proved() : nullptr;
}

std::optional<Violation> find_violation(const Program& program, Asked asked) {
  return Judgement(program).first(asked);
}

std::vector<Violation> find_violations(const Program& program) { return Judgement(program).all(); }

}  // namespace strata
