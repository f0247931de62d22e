// Commands as text that parses back to the same command.
//
//   commands  {command | group}
//   command   ["unchecked"] name "(" operand {"," operand} ")"
//   group     "together" "{" {command} "}"
//
//   operand   name | name "." name | "root" | integer | expression | string | "{" names "}"
//
// The name is that of a row of schedule/table/command_table.h, and the operands are one of its forms.
// Expressions are those of core/expr/expr_text.h; relations are strings, in isl's notation.  A name
// between backquotes is never "root".  Line ends are space, and "#" starts a comment.
#pragma once

#include <string>
#include <string_view>

#include "core/text_scanner.h"
#include "schedule/edit/command.h"

namespace strata {

// The lines of a history around the commands of a group.
inline const std::string group_begin = "together {", group_end = "}";

// As a history has it: the command's text, after "unchecked" where it is waived.
std::string command_line(const Command& command);

// The command at the scanner's place; Check::waived if it is unchecked.  Throws E0108, with line
// and column, where there is no such command (it lists those there are), or where the operands are
// of none of its forms (it tells them).
Command parse_command(TextScanner& scanner, const Algorithm& algorithm);
// The one command that "text" denotes.
Command parse_command(std::string_view text, const Algorithm& algorithm);

}  // namespace strata
