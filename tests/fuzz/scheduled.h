// A program and the commands that are given to it.
#pragma once

#include <vector>

#include "tests/fuzz/command_generator.h"

namespace strata::fuzz {

struct Scheduled {
  Program program;
  std::vector<DrawnCommand> commands;

  void give(const std::string& name, std::vector<CommandOperand> operands) {
    commands.push_back({name, {name, std::move(operands)}});
  }
};

}  // namespace strata::fuzz
