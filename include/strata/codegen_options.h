// Options of code generation.
#pragma once

#include <string>

#include "core/floats.h"

namespace strata {

struct CodegenOptions {
  std::string target = "host";  // this machine's CPU, or the text of a Halide target
  Floats floats = Floats::fast;
  std::string header;       // path of the C header; empty: the object's path with .h
  std::string assembly;     // path, or empty for none
  bool print_notes = true;  // print Function::notes() to stderr, once per Function
};

}  // namespace strata
