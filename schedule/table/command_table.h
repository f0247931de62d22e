// The table of all commands: their syntax and the functions that apply them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

enum class OperandKind {
  computation,
  branch,  // a computation with one branch, or a piece of one
  array,
  buffer,
  loop,                // S.i, of the computation that the command acts on
  other_loop,          // C.j, of another computation
  other_loop_or_root,  // the same, or root
  loop_name_or_root,   // j, of the branch named by the operand before, or root
  loop_name_or_none,   // the same, for methods that take std::nullopt instead of root
  root,
  size,      // a number or a parameter
  number,    // an integer
  index,     // an expression over parameters and the indices of the stored array
  relation,  // in isl's notation, between double quotes
  memory,
  iterators,        // {x, y}
  new_loop,         // a name; if empty, the command chooses one
  new_computation,  // a name
  new_piece,        // a name
  shape,            // the name of a shape of products: tf32
  partition,
};
std::string to_string(OperandKind kind);

// A list of operands that a command accepts, optionally followed by any number of operands of kind
// "further".
struct Form {
  std::vector<OperandKind> operands;
  std::optional<OperandKind> further = std::nullopt;

  // The kind of operand n, or std::nullopt if the form has no operand n.
  std::optional<OperandKind> kind(std::size_t n) const;
};

class CommandOperands;  // schedule/edit/command_operands.h

struct CommandRow {
  std::string name;
  std::vector<Form> forms;
  // Applies the command without adding it to the history; the operands must match one of the forms.
  Program (*apply)(const Program& program, const CommandOperands& operands);
  std::string method = name;  // of Computation; with "f." of Function, about operand 0
};

// Sorted by name.
const std::vector<CommandRow>& command_table();
// nullptr if there is no such command.
const CommandRow* find_row(const std::string& name);
// "after, allocate_at, .."
std::string names_of_commands();
// "unroll(COMPUTATION.loop) or unroll(COMPUTATION.loop, number) or .."
std::string forms_text(const CommandRow& row);

// The form that the operands match, or nullptr.
const Form* find_form(const CommandRow& row, const std::vector<CommandOperand>& operands);

// The program after the command, checked as command.given says and added to the history. Errors:
// E0106 if there is no such command or the operands match none of its forms, and those of the
// command.
Program applied(const Program& program, const Command& command);

}  // namespace strata
