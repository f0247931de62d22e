// Replaying command texts, and groups of commands.
#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// The program after the commands of "text" (schedule/table/command_text.h), each checked as the
// text says. With Check::deferred all of them, groups included, belong to a group of the caller's.
//
//     replayed(P, the history of P after some commands) = P after these commands
//
// if no definition was added in between. Throws the first refusal, with its line in the text.
Program replayed(const Program& program, const std::string& text, const Given& given);

// ---- a group of commands, of which only the result is judged ----

// The program with the start of a group in its history.
Program with_group_begun(Program program);
// "after", the result of a group that began with "before", if it is legal. Adds the end of the
// group to the history, or removes its start if the group is empty.
Program with_group_ended(const Program& before, Program after, const Given& given);

}  // namespace strata
