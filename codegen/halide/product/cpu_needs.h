// What a CPU needs to execute code for a target.
#pragma once

#include <cstdint>
#include <string>

#include "codegen/halide/arithmetic/values.h"

namespace strata::halide {

// The features of runtime/cpu.h that code for "target" may use. They are those of the CPU that
// Halide 21 has LLVM compile for (mcpu_target and mattrs in its CodeGen_X86.cpp and
// CodeGen_ARM.cpp), as far as LLVM uses them by itself. "name" is the author's name of the target.
// E0501 if the runtime cannot tell whether a CPU has what the target needs: it is not for Linux on
// x86-64 or AArch64, or has other features.
std::int64_t needs_of(const Halide::Target& target, const std::string& name);

}  // namespace strata::halide
