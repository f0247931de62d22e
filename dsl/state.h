// What the handles of one function share.
#pragma once

#include <string>
#include <vector>

#include "layers/program.h"

namespace strata {

struct FunctionState {
  Program program;
  std::vector<std::string> open_loops;  // f.loop, outermost first ..
  int existing_loops = 0;               // .. and how many of them a definition has opened
  std::size_t commands_at_loop = 0;     // commands given before the outermost loop was opened
  bool together = false;                // commands wait for the end of their group
};

}  // namespace strata
