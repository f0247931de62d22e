#include "schedule/table/find_commands.h"
#include "layers/mma_shape.h"

#include <algorithm>

#include "schedule/legality/legality.h"
#include "schedule/table/command_table.h"

namespace strata {

namespace {

bool is_waived(const Command& command) { return command.given.check == Check::waived; }

// The loops around a branch, or around all branches if none is given.
std::vector<LoopRef> loops_of(const Program& program, const std::optional<BranchRef>& branch) {
  std::vector<LoopRef> loops;
  for (const Placed& placed : branches(program.mapping)) {
    const std::string &name = placed.branch->definition, &piece = placed.branch->piece;
    if (branch && branch->definition != name) continue;
    if (branch && !branch->piece.empty() && branch->piece != piece) continue;
    for (const Loop* loop : placed.loops) loops.push_back({name, loop->name, piece});
  }
  return loops;
}

class Enumeration {
 public:
  Enumeration(const Program& program, const Candidates& choice)
      : program_(program), choice_(choice) {}

  // Appends all commands of the form whose first operands are those of "command".
  void add(const Form& form, Command command, std::vector<Command>& all) const {
    const std::size_t n = command.operands.size();
    const bool one_further = form.further && n == form.operands.size();
    if (n >= form.operands.size() && !one_further) {
      all.push_back(std::move(command));
      return;
    }
    for (const CommandOperand& operand : operands(*form.kind(n), command)) {
      Command longer = command;
      longer.operands.push_back(operand);
      add(form, std::move(longer), all);
    }
  }

 private:
  // The candidates for the next operand, after those of "before".
  std::vector<CommandOperand> operands(OperandKind kind, const Command& before) const {
    switch (kind) {
      case OperandKind::computation: return definitions();
      case OperandKind::branch: return all_branches();
      case OperandKind::array: return arrays();
      case OperandKind::loop:
        return before.operands.empty() ? loops(std::nullopt)
                                       : loops(branch_in(before.operands.front()));
      case OperandKind::other_loop: return loops(std::nullopt);
      case OperandKind::other_loop_or_root: return with_root(loops(std::nullopt));
      case OperandKind::loop_name_or_root:
      case OperandKind::loop_name_or_none:
        return with_root(names_of_loops(branch_in(before.operands.back())));
      case OperandKind::root: return {OutsideLoops{}};
      case OperandKind::size:
      case OperandKind::number: return {choice_.numbers.begin(), choice_.numbers.end()};
      case OperandKind::memory: return {all_memories().begin(), all_memories().end()};
      case OperandKind::shape: {
        const auto names = mma_shape_names();
        return {names.begin(), names.end()};
      }
      default: return {};
    }
  }

  static BranchRef branch_in(const CommandOperand& operand) {
    if (const auto* loop = std::get_if<LoopRef>(&operand.value())) return loop->branch();
    if (const auto* piece = std::get_if<BranchRef>(&operand.value())) return *piece;
    return std::get<std::string>(operand.value());
  }

  static std::vector<CommandOperand> with_root(std::vector<CommandOperand> operands) {
    operands.push_back(OutsideLoops{});
    return operands;
  }

  std::vector<CommandOperand> definitions() const {
    std::vector<CommandOperand> all;
    for (const Definition& d : program_.algorithm->definitions)
      if (!d.is_initial) all.push_back(d.name);
    return all;
  }

  // The computations, and the pieces of those that have some.
  std::vector<CommandOperand> all_branches() const {
    std::vector<CommandOperand> all = definitions();
    for (const Placed& placed : branches(program_.mapping))
      if (const Branch& b = *placed.branch; !b.piece.empty())
        all.push_back(BranchRef(b.definition, b.piece));
    return all;
  }

  std::vector<CommandOperand> arrays() const {
    std::vector<CommandOperand> all;
    for (const InputArray& input : program_.algorithm->inputs)
      if (!input.by_value) all.push_back(input.name);
    for (const Definition& d : program_.algorithm->definitions)
      if (program_.algorithm->definitions_of(d.array).front() == &d) all.push_back(d.array);
    return all;
  }

  std::vector<CommandOperand> loops(const std::optional<BranchRef>& branch) const {
    const auto all = loops_of(program_, branch);
    return {all.begin(), all.end()};
  }

  std::vector<CommandOperand> names_of_loops(const BranchRef& branch) const {
    std::vector<CommandOperand> all;
    for (const LoopRef& loop : loops_of(program_, branch)) all.push_back(loop.loop);
    return all;
  }

  const Program& program_;
  const Candidates& choice_;
};

// The first violation that a command is checked for. If there is none, "after" keeps the proofs.
std::optional<Violation> find_and_prove(Program& after) {
  Judgement judgement(after);
  for (const Asked asked : {Asked::after_groups, Asked::unless_waived})
    if (auto violation = judgement.first(asked)) return violation;
  if (auto proofs = judgement.proofs()) after.proofs = std::move(proofs);
  return std::nullopt;
}

}  // namespace

Tried find_applied(const Program& program, const Command& command) {
  Command asked = command;
  if (!is_waived(command)) asked.given.check = Check::deferred;
  try {
    Program after = applied(program, asked);
    if (!is_waived(command))
      if (const auto violation = find_and_prove(after)) return {std::nullopt, violation->code};
    return {std::move(after), std::nullopt};
  } catch (const Error& e) {
    return {std::nullopt, e.code()};
  } catch (const isl::exception&) {
    return {std::nullopt, Code::E0902_set_library_failed};
  }
}

std::vector<Command> candidates(const Program& program, const Candidates& choice) {
  std::vector<Command> all;
  for (const CommandRow& row : command_table()) {
    const auto& names = choice.names;
    if (!names.empty() && std::find(names.begin(), names.end(), row.name) == names.end()) continue;
    for (const Form& form : row.forms)
      Enumeration(program, choice).add(form, Command{row.name, {}}, all);
  }
  return all;
}

std::vector<Command> find_applicable(const Program& program, const Candidates& choice) {
  std::vector<Command> legal;
  for (Command& command : candidates(program, choice))
    if (find_applied(program, command).program) legal.push_back(std::move(command));
  return legal;
}

}  // namespace strata
