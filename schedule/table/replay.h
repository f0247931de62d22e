// Texts of commands, given one after the other; and groups of commands.
#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// The program after the commands of "text" (schedule/table/command_text.h), each of which is judged as it
// stands there.  With Check::deferred they are part of a group of the caller's, and so is each
// group in the text.
//
//     replayed(P, the history of P after some commands) = P after these commands
//
// if no definition came between them.  Throws the first refusal, which tells its line in the text.
Program replayed(const Program& program, const std::string& text, const Given& given);

// ---- a group, of which the end alone is judged ----

// "program", with the beginning of a group in its history.
Program with_group_begun(Program program);
// "after", what the commands of a group have made of "before", if that is legal; its end is in the
// history.
Program with_group_ended(const Program& before, Program after, const Given& given);

}  // namespace strata
