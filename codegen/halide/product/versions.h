// Versions of kernels for several CPUs, and the functions that choose one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/halide/product/module.h"

namespace strata::halide {

// A version and what a CPU needs to execute it.
struct Candidate {
  std::string name;  // the author's name of the target
  Halide::Target target;
  std::int64_t needs = 0;  // features of runtime/cpu.h
  const std::vector<Kernel>* kernels = nullptr;
};

// The versions in the order of preference: those that use more features first. Errors: compile.h.
std::vector<Candidate> candidates_of(const std::vector<Version>& versions);

// Added to the names of a version's functions: no identifier of C has a dot.
std::string suffix_of(const Candidate& candidate);

// For each kernel, a function with its name and arguments. It asks the runtime for the number of
// the version that this CPU can execute, and calls that version.
Halide::Module choosing_module(const std::vector<Candidate>& candidates);

}  // namespace strata::halide
