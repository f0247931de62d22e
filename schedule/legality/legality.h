// Is a program legal? Asks the table of questions (schedule/legality/questions.h).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "schedule/legality/questions.h"

namespace strata {

// All functions throw E0901 when the session's budget runs out: what is not proved legal is
// refused. The Error has no command and no source line.

// Throws the refusal of the first rule that fails, among the rules with this "asked".
void require_rules(const Program& program, Asked asked, const Request& request);

// The questions asked of one program, on one view of it.
class Judgement {
 public:
  explicit Judgement(const Program& program) : program_(program) {}

  // The first violation not covered by a waiver, if any, found by the questions with this "asked".
  std::optional<Violation> first(Asked asked);
  // All violations of the questions Asked::unless_waived, whether a waiver covers them or not.
  std::vector<Violation> all();
  // The facts and answers, for the next program, if the last call of first() was
  // first(Asked::unless_waived) and found no violation, not even a waived one; else null.
  std::shared_ptr<const Proofs> proofs() const;

 private:
  const ProgramView& view();

  const Program& program_;
  std::unique_ptr<const ProgramView> view_;
  bool legal_ = false;
};

std::optional<Violation> find_violation(const Program& program, Asked asked = Asked::unless_waived);
std::vector<Violation> find_violations(const Program& program);

}  // namespace strata
