// Options of code generation.
#pragma once

#include <map>
#include <string>

#include "core/floats.h"

namespace strata {

struct CodegenOptions {
  // As machine() takes it (core/machine/machine.h). Of a list, "x86-64-v3,x86-64-v4", the kernel
  // contains a version for each target, and runs the best one that the CPU can execute; without
  // one it returns strata_error_wrong_cpu. jit() always compiles for the CPU at hand, with the GPU
  // of the target.
  std::string target = "host";
  Floats floats = Floats::fast;
  // Record the time and the bytes of each outermost loop (strata_print_profile, strata/runtime.h).
  bool profile = false;
  std::string header;       // path of the C header; empty: the object's path with .h
  std::string assembly;     // path, or empty for none
  bool print_notes = true;  // print Function::notes() to stderr, once per Function
  // For jit(): the addresses of C functions that the program calls, by name; others are looked up
  // in the program and its libraries (E0502).
  std::map<std::string, void*> functions = {};
  // What makes machine code of the loops: "halide", or "c", for C and the system's compiler
  // (docs/c.md). Empty: what STRATA_BACKEND names, else "halide", or "c" in a build without
  // Halide. E0106 for others.
  std::string backend = "";
};

}  // namespace strata
