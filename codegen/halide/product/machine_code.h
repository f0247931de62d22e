// Kernels in this process, through Halide.
#pragma once

#include <memory>
#include <string>

#include "codegen/object/machine_code.h"
#include "codegen/tree/loop_tree.h"
#include "core/stage.h"

namespace strata::halide {

// A kernel for this CPU, with launches for the device of "target"; the CPU of "target" must be
// known, and is not used. "known" has the functions that the kernel calls, except for those of this
// process. E0105, E0308, E0501, E0502.
std::shared_ptr<const MachineCode> machine_code(const Kernel& kernel, const std::string& target,
                                                const Addresses& known, StageRun& stages);

// What the code depends on besides the program: this build of Halide and the CPU's features. Empty
// if the file of the build is not found.
std::string kind_of_code();

}  // namespace strata::halide
