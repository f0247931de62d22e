// The input of a compilation.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/lower.h"
#include "driver/places.h"
#include "layers/program.h"

namespace strata {

// A program, and what its author hears about it.
struct CompilationUnit {
  Program program;                          // changed by take()
  std::optional<Program> unscheduled = {};  // before the first command
  double code_limit = default_code_limit;   // codegen/tree/code_size.h
  Places places = {};
  std::vector<std::string> notes = {};  // about the algorithm, for the author
  bool notes_printed = false;
  std::optional<MadeKernel> last = {};  // of the current program

  void take(Program next) {
    program = std::move(next);
    last.reset();
  }
};

}  // namespace strata
