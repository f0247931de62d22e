// The table of all commands: how each is written, and what it does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

enum class OperandKind {
  computation,
  array,
  buffer,
  loop,                // S.i, of the computation that the command is about
  other_loop,          // C.j, of another one
  other_loop_or_root,  // the same, or root
  loop_name_or_root,   // j, of the computation named before, or root
  loop_name_or_none,   // the same, where the method takes std::nullopt for root
  root,
  size,      // a number or a parameter
  number,    // an integer
  index,     // an expression over parameters, and over the indices of the array that is stored
  relation,  // in isl's notation, between double quotes
  memory,
  iterators,        // {x, y}
  new_loop,         // a name; empty: the command chooses it
  new_computation,  // a name
};
std::string to_string(OperandKind kind);

// Operands that a command takes, one after the other, and any number of further ones.
struct Form {
  std::vector<OperandKind> operands;
  std::optional<OperandKind> further = std::nullopt;

  // The kind of operand n, or nothing where there is none.
  std::optional<OperandKind> kind(std::size_t n) const;
};

class CommandOperands;  // schedule/edit/command_operands.h

struct CommandRow {
  std::string name;
  std::vector<Form> forms;
  // The command's function, given operands of one of the forms.
  Program (*apply)(const Program& program, const CommandOperands& operands);
  std::string method = name;  // of a Computation
};

// By name, in order.
const std::vector<CommandRow>& command_table();
// Nothing where there is no such command.
const CommandRow* find_row(const std::string& name);
// "after, allocate_at, .."
std::string names_of_commands();
// "unroll(COMPUTATION.loop) or unroll(COMPUTATION.loop, number) or .."
std::string forms_text(const CommandRow& row);

// The form that the operands have, or nothing.
const Form* find_form(const CommandRow& row, const std::vector<CommandOperand>& operands);

// The program after the command, given as command.given says, and noted in its history.
// Errors: E0106 no row of that name, or operands of none of its forms; and those of the command.
Program applied(const Program& program, const Command& command);

}  // namespace strata
