// For search tools: is a command legal, and which commands are? Nothing is thrown, and no witness
// is computed.
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
// The result or refusal of applied() (schedule/table/command_table.h).
Tried find_applied(const Program& program, const Command& command);

// The search space of find_applicable.
struct Candidates {
  std::vector<std::string> names = {};      // of commands; empty: all
  std::vector<std::int64_t> numbers = {4};  // sizes, factors and distances
};
// All commands, legal or not, whose operands are definitions, arrays, loops and memories of the
// program, and the given numbers. Commands that need a new computation, a place or a relation are
// left out; new loops get their default names, and compute_at gets one loop.
std::vector<Command> candidates(const Program& program, const Candidates& choice = {});
// The legal ones among the candidates.
std::vector<Command> find_applicable(const Program& program, const Candidates& choice = {});

}  // namespace strata
