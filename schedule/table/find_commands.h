// For tools that search: is a command legal here, and which are?  Nothing is thrown, and no witness
// is sought.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// The program after the command, noted in its history, where it is legal; else the code of its
// refusal.
struct Tried {
  std::optional<Program> program;
  std::optional<Code> code;
};
// What applied() (schedule/table/command_table.h) would return or throw.
Tried find_applied(const Program& program, const Command& command);

// What find_applicable chooses from.
struct Candidates {
  std::vector<std::string> names = {};      // of commands; none: all
  std::vector<std::int64_t> numbers = {4};  // sizes, factors and distances
};
// The commands whose operands are definitions, loops, memories that the program has, and numbers:
// all of them, legal or not.  Without those that take new computations, places or relations; new
// loops get the names that the commands choose, and compute_at one loop.
std::vector<Command> candidates(const Program& program, const Candidates& choice = {});
// Those of them that are legal.
std::vector<Command> find_applicable(const Program& program, const Candidates& choice = {});

}  // namespace strata
