// Scheduling commands drawn by chance.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "layers/program.h"
#include "schedule/command.h"
#include "tests/fuzz/random.h"

namespace strata::fuzz {

// A command that can be given to any program; most refuse it, since it names what this one has.
struct DrawnCommand {
  std::string kind;  // "interchange", as statistics count it
  std::function<Program(const Program&, const Given&)> give;
};

// A command on definitions and loops that the program has.  It may not apply (E01xx).
DrawnCommand draw_command(Random& random, const Program& program);

// All kinds there are.
std::vector<std::string> command_kinds();

}  // namespace strata::fuzz
