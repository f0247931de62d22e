// Scheduling commands drawn by chance.
#pragma once

#include <string>
#include <vector>

#include "layers/program.h"
#include "schedule/edit/command.h"
#include "tests/fuzz/random.h"

namespace strata::fuzz {

// A command of the library's table; most programs refuse it, since it names what this one has.
struct DrawnCommand {
  std::string kind;  // "tile by parameters", as statistics count it
  Command command;
};

// A command on definitions and loops that the program has.  It may not apply (E01xx).
DrawnCommand draw_command(Random& random, const Program& program);

// All kinds there are.
std::vector<std::string> command_kinds();

}  // namespace strata::fuzz
