// Commands as text that parses back to the same command.
//
//   commands  {command | group}
//   command   ["unchecked"] name "(" operand {"," operand} ")"
//   group     "together" "{" {command} "}"
//
//   operand   name | name "." name | name "." name "." name | "root" | integer | expression
//           | string | "{" names "}"
//
// The name is that of a row of schedule/table/command_table.h, and the operands match one of its
// forms. Expressions have the syntax of core/expr/expr_text.h; relations are strings in isl's
// notation. A name in backquotes is never the keyword "root". Newlines are white space, and "#"
// starts a comment.
#pragma once

#include <string>
#include <string_view>

#include "core/text_scanner.h"
#include "schedule/edit/command.h"

namespace strata {

// The history lines that open and close a group.
inline constexpr const char *group_begin = "together {", *group_end = "}";

// The command's line in a history: its text, after "unchecked" if it was waived.
std::string command_line(const Command& command);

// Parses the command at the scanner's position; "unchecked" sets Check::waived. Throws E0108 with
// line and column if there is no such command (the message lists all) or the operands match none of
// its forms (the message lists them).
Command parse_command(TextScanner& scanner, const Algorithm& algorithm);
// Parses "text" as exactly one command.
Command parse_command(std::string_view text, const Algorithm& algorithm);

}  // namespace strata
