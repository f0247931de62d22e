// For search tools: is a command legal, and which commands are? An illegal command is an answer,
// not an exception, and no witness is computed for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// The program after the command, with its line in the history, or the code of the refusal.
struct Tried {
  std::optional<Program> program;
  std::optional<Code> code;
};
// The result or refusal of applied() (schedule/table/command_table.h). Unless it is waived, the
// command is checked at once.
Tried find_applied(const Program& program, const Command& command);

// The search space of find_applicable.
struct Candidates {
  std::vector<std::string> names = {};      // of commands; empty: all
  std::vector<std::int64_t> numbers = {4};  // sizes, factors and distances
};
// All commands, legal or not, whose operands are definitions, pieces, arrays and loops of the
// program, heap or stack, and the given numbers. Commands that need a buffer, an expression, a
// relation or the name of a new computation are left out; new loops and pieces get their default
// names, and compute_at gets one loop or root.
std::vector<Command> candidates(const Program& program, const Candidates& choice = {});
// The legal ones among the candidates.
std::vector<Command> find_applicable(const Program& program, const Candidates& choice = {});

}  // namespace strata
