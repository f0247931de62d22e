// Is a program legal?  How the table of questions (schedule/legality/questions.h) is asked.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "schedule/legality/questions.h"

namespace strata {

// All functions throw E0901, as an Error without a place, where the session's budget is not enough:
// unknown means refuse.

// Throws the refusal of the first rule of the table, of those asked then, that does not hold.
void require_rules(const Program& program, Asked asked, const Request& request);

// All that is asked of one program, over one view of it.
class Judgement {
 public:
  explicit Judgement(const Program& program) : program_(program) {}

  // The first violation that no waiver covers, or nothing, of the questions asked then.
  std::optional<Violation> first(Asked asked);
  // Every violation that can be waived, waived or not.
  std::vector<Violation> all();
  // Once all questions were asked and none has found a violation, waived or not: what is known then.
  // Else null.
  std::shared_ptr<const Proved> proved() const;

 private:
  const Scheduled& view();

  const Program& program_;
  std::unique_ptr<const Scheduled> view_;
  bool legal_ = false;
};

std::optional<Violation> find_violation(const Program& program, Asked asked = Asked::unless_waived);
std::vector<Violation> find_violations(const Program& program);

}  // namespace strata
