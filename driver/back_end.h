// Back ends: what makes code of kernels.
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
  // One object with all versions, its header, and what else is asked for.
  void (*write)(const std::vector<Version>& versions, const Outputs& outputs, StageRun& stages);
  // The kernel in this process, for this CPU, with launches for the device of "target". "known"
  // has the functions that it calls, but for those of this process.
  std::shared_ptr<const MachineCode> (*load)(const Kernel& kernel, const std::string& target,
                                             const Addresses& known, StageRun& stages);
  // What its kernels call in this process besides strata_runtime's own functions.
  Addresses (*symbols)();
  // What its code depends on besides the program: its build and the CPU's features. Empty if that
  // is not known.
  std::string (*kind)();
};

// All that this build has, the default first.
const std::vector<BackEnd>& back_ends();

// The names of those that this build leaves out, and how to get them.
const std::map<std::string, std::string>& back_ends_left_out();

// The back end that the options name, else STRATA_BACKEND, else the first one. E0106 if this build
// has none of the name.
const BackEnd& back_end_of(const CodegenOptions& options, const Request& request);

// The rows, each in a file of its name.
BackEnd halide_back_end();
BackEnd c_back_end();

// The C of a kernel for the CPU of a target (codegen/c/source.h).
std::string c_of(const Kernel& kernel, const std::string& target);

}  // namespace strata
