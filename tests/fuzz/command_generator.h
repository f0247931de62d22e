// Random scheduling commands.
#pragma once

#include <string>
#include <vector>

#include "layers/program.h"
#include "schedule/edit/command.h"
#include "tests/fuzz/random.h"

namespace strata::fuzz {

// A command from the library's table. It names parts of this program, so most other programs
// refuse it.
struct DrawnCommand {
  std::string kind;  // "tile by parameters", as statistics count it
  Command command;
};

// Where the loops of a program may run: commands for launches are drawn for a GPU only.
enum class Hardware { cpu, gpu };

// A command on definitions and loops of the program. It may not apply (E01xx).
DrawnCommand draw_command(Random& random, const Program& program,
                          Hardware hardware = Hardware::gpu);

// All kinds of commands that are drawn for it.
std::vector<std::string> command_kinds(Hardware hardware);

}  // namespace strata::fuzz
