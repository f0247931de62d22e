// Options of code generation.
#pragma once

#include <map>
#include <string>

#include "core/floats.h"

namespace strata {

struct CodegenOptions {
  // A target as machine() takes it (core/machine/machine.h), or a list, "x86-64-v3,x86-64-v4". For
  // a list the kernel contains a version for each target, and runs the best version that the CPU
  // can execute; if there is none it returns strata_error_wrong_cpu. jit() always compiles for the
  // CPU at hand, with the GPU of the target.
  std::string target = "host";
  Floats floats = Floats::fast;
  // Record the time and the bytes of each outermost loop (strata_print_profile, strata/runtime.h).
  bool profile = false;
  std::string header;       // path of the C header; empty: the object's path with .h
  std::string assembly;     // path, or empty for none
  bool print_notes = true;  // print Function::notes() to stderr, once per Function
  // For jit(): the addresses of C functions that the kernel calls, by name. jit() looks for other
  // functions in this process and its libraries (E0502).
  std::map<std::string, void*> functions = {};
  // The back end, which turns loops into machine code: "halide", or "c" for C and the system's
  // compiler (docs/c.md). Empty: what STRATA_BACKEND names, else "halide", or "c" in a build
  // without Halide. E0106 for any other text.
  std::string backend = "";
};

}  // namespace strata
