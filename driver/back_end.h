// Back ends, which make code from kernels.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codegen/object/machine_code.h"
#include "codegen/outputs.h"
#include "core/stage.h"
#include "strata/codegen_options.h"

namespace strata {

// A back end is a row of a table.
struct BackEnd {
  std::string name;
  // Writes one object with all versions, its header, and other outputs that are asked for.
  void (*write)(const std::vector<Version>& versions, const Outputs& outputs, StageRun& stages);
  // Makes the kernel in this process, for this CPU, with launches for the device of "target".
  // "known" has the functions that the kernel calls, except those of this process.
  std::shared_ptr<const MachineCode> (*load)(const Kernel& kernel, const std::string& target,
                                             const Addresses& known, StageRun& stages);
  // The functions that its kernels call in this process, besides those of strata_runtime.
  Addresses (*symbols)();
  // What its code depends on besides the program: the build of the back end, and the CPU's
  // features. Empty if that is not known.
  std::string (*kind)();
};

// All back ends of this build, the default first.
const std::vector<BackEnd>& back_ends();

// The names of back ends that this build leaves out, and how to get them.
const std::map<std::string, std::string>& back_ends_left_out();

// The back end that the options name, else STRATA_BACKEND, else the first one. E0106 if this build
// has no back end of that name.
const BackEnd& back_end_of(const CodegenOptions& options, const Request& request);

// The rows of the table. Each is in a file of its name.
BackEnd halide_back_end();
BackEnd c_back_end();

// The C text of a kernel for the CPU of a target (codegen/c/source.h).
std::string c_of(const Kernel& kernel, const std::string& target);

}  // namespace strata
