// Where the author made definitions and gave commands.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "layers/program.h"

namespace strata {

struct Places {
  struct GivenCommand {
    std::string computation;  // the computation that the command acts on
    std::string text;
    Where where;
  };

  std::map<std::string, Where> definitions = {};
  std::vector<GivenCommand> commands = {};

  // Notes that definitions in "after" but not in "before" were made at "where".
  void note_definitions(const Program& before, const Program& after, const Where& where);
  // The place of the last command on the computation that names the loop, else of the definition.
  Where of(const std::string& computation, const std::string& loop) const;
};

}  // namespace strata
