// State shared by the handles of one function.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/compilation_unit.h"

namespace strata {

struct FunctionState : CompilationUnit {
  std::vector<std::string> open_loops;  // of f.loop, outermost first
  int existing_loops = 0;               // how many of them already hold a definition
  bool command_in_loop = false;         // a command was given since the outermost was opened
  bool together = false;                // inside f.together: checks wait for the group's end

  std::set<std::pair<std::string, bool>> checked_for_wrapping = {};  // definition, has a predicate
  Definitions definitions_checked = {};                              // all, at the last check

  std::map<std::string, std::vector<Expr>> input_extents = {};  // as the author wrote them

  // Replaces the program by the result of a command.
  void take_command(Program next) {
    if (!program.scheduled) {
      unscheduled = program;
      unscheduled->history.clear();  // drops the start of a group
    }
    command_in_loop = true;
    take(std::move(next));
  }
};

}  // namespace strata
