// State shared by the handles of one function.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/lower.h"
#include "layers/program.h"

namespace strata {

// The last compiled kernel, and its inputs besides the program.
struct LastKernel {
  std::vector<std::string> arguments;
  Floats floats;
  Masks masks;
  Kernel kernel;
};

// Where the author made definitions and gave commands, for remarks.
struct Places {
  struct Given {
    std::string computation;  // the one that the command acts on
    std::string text;
    Where where;
  };

  std::map<std::string, Where> definitions = {};
  std::vector<Given> commands = {};

  // Definitions that "after" has and "before" has not were made here.
  void note_definitions(const Program& before, const Program& after, const Where& where);
  // The last command on the computation that names the loop; else the definition.
  Where of(const std::string& computation, const std::string& loop) const;
};

struct FunctionState {
  Program program;                         // changed by take()
  std::optional<LastKernel> last = {};     // of the current program
  std::vector<std::string> open_loops;     // of f.loop, outermost first
  int existing_loops = 0;                  // how many of them already hold a definition
  bool command_in_loop = false;            // a command was given since the outermost was opened
  bool together = false;                   // inside f.together: checks wait for the group's end
  double code_limit = default_code_limit;  // codegen/tree/code_size.h

  std::vector<std::string> notes = {};                    // Function::notes()
  std::set<std::pair<std::string, bool>> checked_for_wrapping = {};  // definition, has a predicate
  Definitions definitions_checked = {};                              // all, at the last check
  bool notes_printed = false;

  Places places = {};
  std::map<std::string, std::vector<Expr>> input_extents = {};  // as the author wrote them
  std::optional<Program> unscheduled = {};  // before the first command

  void take(Program next) {
    program = std::move(next);
    last.reset();
  }

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
