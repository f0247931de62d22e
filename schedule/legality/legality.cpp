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

// What the questions with this "asked" decide, for messages.
std::string subject_of(Asked asked, const Program& program) {
  if (asked == Asked::for_outputs) return "equality of the final outputs of " + program.name;
  if (asked == Asked::for_exact_sums) return "the order in which " + program.name + " adds floats";
  return "the legality of " + program.name;
}

// Calls "check" within the session's budget; E0901, naming the question, if that runs out.
template <typename Check>
void within_budget(const Program& program, Asked asked, Check check) {
  if (!program.session->within_budget(check)) throw out_of_budget(subject_of(asked, program));
}

// Asks the questions about sets with this "asked", until one returns false.
void check_all(const ProgramView& view, Asked asked, const Found& found) {
  const auto& all = questions();
  std::all_of(all.begin(), all.end(), [&](const Question& question) {
    return question.asked != asked || !question.check || question.check(view, found);
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

const ProgramView& Judgement::view() {
  if (!view_) view_ = std::make_unique<const ProgramView>(program_);
  return *view_;
}

std::optional<Violation> Judgement::first(Asked asked) {
  std::optional<Violation> violation;
  bool any = false;
  within_budget(program_, asked, [&] {
    check_all(view(), asked, [&](Violation v) {
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
    check_all(view(), Asked::unless_waived, [&](Violation v) {
      all.push_back(std::move(v));
      return true;
    });
  });
  return all;
}

std::shared_ptr<const Proofs> Judgement::proofs() const {
  return legal_ ? view_->proofs() : nullptr;
}

std::optional<Violation> find_violation(const Program& program, Asked asked) {
  return Judgement(program).first(asked);
}

std::vector<Violation> find_violations(const Program& program) { return Judgement(program).all(); }

}  // namespace strata
