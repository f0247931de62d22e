// Options of code generation.
#pragma once

#include <string>

#include "core/floats.h"

namespace strata {

struct CodegenOptions {
  std::string target = "host";  // as machine() takes it (core/machine/machine.h)
  Floats floats = Floats::fast;
  // Record the time and the bytes of each outermost loop (strata_print_profile, strata/runtime.h).
  bool profile = false;
  std::string header;       // path of the C header; empty: the object's path with .h
  std::string assembly;     // path, or empty for none
  bool print_notes = true;  // print Function::notes() to stderr, once per Function
};

}  // namespace strata
