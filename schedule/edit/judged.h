// How a command ends: what it left is asked about, and returned or refused.
#pragma once

#include <functional>

#include "schedule/edit/command.h"

namespace strata {

// "after", as a command left it, where that is no question of legality.
Program accepted(Program after);

// "after" as "command" left it, if that is legal; else its refusal is thrown.  Asks the questions of
// schedule/legality/questions.h that are due after a command: the rules of the mapping first.
Program judged(const Program& before, Program after, const Command& command);

// Asks within the budget: what legality refuses as E0901 becomes the command's refusal.
void asked_by(const Command& command, const std::function<void()>& ask);

}  // namespace strata
