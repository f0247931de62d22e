// The end of each command: its result is checked for legality, then returned or refused.
#pragma once

#include <functional>

#include "schedule/edit/command.h"

namespace strata {

// The result of a command that cannot affect legality.
Program accepted(Program after);

// "after", the result of "command", if it is legal; else throws the command's refusal. First drops
// idle prefetches and names pieces. Then asks the questions of schedule/legality/questions.h that
// command.given.check requires, the mapping rules first.
Program verified(const Program& before, Program after, const Command& command);

// What "make" returns. E0901 as the command's refusal if that exceeds the budget; what is within
// another call counts to the outermost one's budget.
Program made_within_budget(const Program& program, const Command& command,
                           const std::function<Program()>& make);

// Calls "check"; if legality throws E0901 (out of budget), throws it as the command's refusal.
void refuse_as(const Command& command, const std::function<void()>& check);

}  // namespace strata
