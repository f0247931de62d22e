// Kernels as one Halide module.
#pragma once

#include <cstdint>
#include <functional>

#include "codegen/halide/arithmetic/values.h"
#include "codegen/halide/product/compile.h"
#include "core/machine/machine.h"
#include "core/stage.h"

namespace strata::halide {

// The target of this name. Error E0501.
Halide::Target target_named(const std::string& name);
// CUDA's compute capability that a target's name says, 90 for sm_90; 0: none.
int capability_named(const std::string& name);
// The target of kernels in process: the CPU at hand, whatever STRATA_MACHINE says.
Halide::Target host_target();

// The target with the device of "parts". A CUDA device has capability 8.6, unless an earlier one is
// named; later devices run the same code.
Halide::Target with_device(const Halide::Target& target, const TargetParts& parts);

// What drives the GPU of a target; None if it has none.
Halide::DeviceAPI device_of(const Halide::Target& target);

// What runs a target's code on the CPU. For the target of "host" that is what STRATA_MACHINE says;
// a CPU that is not in the table has the defaults.
Machine machine_of(const Halide::Target& target);

// How functions can be called: from C only, or also with a list of pointers to the arguments.
enum class Callers { c, argument_list };

// The kernels, lowered and checked (entry/contract.h), as functions of their names with "suffix".
// The PTX names "capability" if that is later than the target's. E0105, E0502.
Halide::Module make_module(const std::vector<Kernel>& kernels, const Halide::Target& target,
                           int capability, Callers callers, StageRun& stages,
                           const std::string& suffix = "");

// The arguments of the function of a kernel.
std::vector<Halide::Internal::LoweredArgument> arguments_of(const Kernel& kernel);
// The same, as a kernel passes them on.
std::vector<HExpr> arguments_in_call(const Kernel& kernel);

// Runs "work". Turns Halide's exceptions, and LLVM's assertions and fatal errors
// (crash_recovery.h), into E0502. "what" names the stage and what it works on.
void with_halide_errors(const std::string& what, const std::function<void()>& work);

// The stage of LLVM, with its options (llvm_options.h): "work" makes "what", and returns its bytes.
void run_llvm(const std::string& what, const std::function<std::uintmax_t()>& work,
              StageRun& stages);

}  // namespace strata::halide
