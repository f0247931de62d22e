#include "schedule/table/command_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>

#include "layers/mma_shape.h"
#include "schedule/edit/command_operands.h"
#include "schedule/edit/verified.h"
#include "schedule/table/command_text.h"

namespace strata {

std::string to_string(OperandKind kind) {
  switch (kind) {
    case OperandKind::computation: return "computation";
    case OperandKind::branch: return "computation | COMPUTATION.piece";
    case OperandKind::array: return "array";
    case OperandKind::buffer: return "buffer";
    case OperandKind::loop:
    case OperandKind::other_loop: return "COMPUTATION.loop";
    case OperandKind::other_loop_or_root: return "COMPUTATION.loop | root";
    case OperandKind::loop_name_or_root:
    case OperandKind::loop_name_or_none: return "loop | root";
    case OperandKind::root: return "root";
    case OperandKind::size: return "number | parameter";
    case OperandKind::number: return "number";
    case OperandKind::index: return "expression";
    case OperandKind::relation: return "\"relation\"";
    case OperandKind::memory: return "automatic | heap | stack";
    case OperandKind::iterators: return "{iterators}";
    case OperandKind::new_loop: return "new loop";
    case OperandKind::new_computation: return "new computation";
    case OperandKind::new_piece: return "new piece";
    case OperandKind::partition: return "partition";
    case OperandKind::shape: return fmt::format("{}", fmt::join(mma_shape_names(), " | "));
  }
  return "";
}

std::optional<OperandKind> Form::kind(std::size_t n) const {
  return n < operands.size() ? std::optional(operands[n]) : further;
}

const CommandRow* find_row(const std::string& name) {
  const auto& all = command_table();
  const auto row =
      std::find_if(all.begin(), all.end(), [&](const CommandRow& r) { return r.name == name; });
  return row == all.end() ? nullptr : &*row;
}

std::string names_of_commands() {
  std::vector<std::string> names;
  for (const CommandRow& row : command_table()) names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string forms_text(const CommandRow& row) {
  std::vector<std::string> texts;
  for (const Form& form : row.forms) {
    std::vector<std::string> operands;
    for (const OperandKind kind : form.operands) operands.push_back(to_string(kind));
    if (form.further) operands.push_back(to_string(*form.further) + ", ..");
    texts.push_back(fmt::format("{}({})", row.name, fmt::join(operands, ", ")));
  }
  return fmt::format("{}", fmt::join(texts, " or "));
}

namespace {

template <typename T>
bool holds(const CommandOperand& operand) {
  return std::holds_alternative<T>(operand.value());
}

bool is_number(const CommandOperand& operand) {
  const auto* size = std::get_if<TileSize>(&operand.value());
  return size && !size->is_parameter();
}

bool is_of(const CommandOperand& operand, OperandKind kind) {
  switch (kind) {
    case OperandKind::computation:
    case OperandKind::array:
    case OperandKind::buffer:
    case OperandKind::new_loop:
    case OperandKind::new_computation:
    case OperandKind::new_piece:
    case OperandKind::shape:
    case OperandKind::partition: return holds<std::string>(operand);
    case OperandKind::branch: return holds<std::string>(operand) || holds<BranchRef>(operand);
    case OperandKind::loop:
    case OperandKind::other_loop: return holds<LoopRef>(operand);
    case OperandKind::other_loop_or_root:
      return holds<LoopRef>(operand) || holds<OutsideLoops>(operand);
    case OperandKind::loop_name_or_root:
    case OperandKind::loop_name_or_none:
      return holds<std::string>(operand) || holds<OutsideLoops>(operand);
    case OperandKind::root: return holds<OutsideLoops>(operand);
    case OperandKind::size: return holds<TileSize>(operand);
    case OperandKind::number: return is_number(operand);
    case OperandKind::index: return holds<Expr>(operand);
    case OperandKind::relation: return holds<IslNotation>(operand);
    case OperandKind::memory: return holds<Memory>(operand);
    case OperandKind::iterators: return holds<CommandOperand::Names>(operand);
  }
  return false;
}

bool has_form(const std::vector<CommandOperand>& operands, const Form& form) {
  if (operands.size() < form.operands.size()) return false;
  for (std::size_t n = 0; n < operands.size(); ++n) {
    const auto kind = form.kind(n);
    if (!kind || !is_of(operands[n], *kind)) return false;
  }
  return true;
}

}  // namespace

const Form* find_form(const CommandRow& row, const std::vector<CommandOperand>& operands) {
  for (const Form& form : row.forms)
    if (has_form(operands, form)) return &form;
  return nullptr;
}

namespace {

void require_form(const CommandRow& row, const Command& command) {
  if (find_form(row, command.operands)) return;
  for (const CommandOperand& operand : command.operands)
    if (const auto* branch = std::get_if<BranchRef>(&operand.value()))
      throw command.refused(
          Code::E0106_bad_argument,
          fmt::format("{} is a piece, and {} takes a whole computation", to_string(*branch),
                      row.name),
          "give it before the computation has pieces, or one place with set_schedule first");
  throw command.refused(Code::E0106_bad_argument, row.name + " does not take these operands",
                        "write " + forms_text(row));
}

}  // namespace

Program applied(const Program& program, const Command& command) {
  const CommandRow* row = find_row(command.name);
  if (!row)
    throw command.refused(Code::E0106_bad_argument, "there is no command " + command.name,
                          "give one of " + names_of_commands());
  require_form(*row, command);
  Program after = made_within_budget(program, command,
                                     [&] { return row->apply(program, CommandOperands(command)); });
  after.history.push_back(command_line(command));
  return after;
}

}  // namespace strata
