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

// The first violation that no waiver covers; where there is none at all, what that proves.
struct Verdict {
  std::optional<Violation> violation;
  std::shared_ptr<const Proved> proved;
};
Verdict verdict_of(const Program& program);

// The first violation that no waiver covers, or nothing, of the questions asked then.
std::optional<Violation> find_violation(const Program& program, Asked asked = Asked::unless_waived);

// Every violation that can be waived, waived or not.
std::vector<Violation> find_violations(const Program& program);

}  // namespace strata
