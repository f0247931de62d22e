// Back ends: what makes code of kernels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/halide/product/compile.h"
#include "core/stage.h"
#include "strata/codegen_options.h"

namespace strata {

// A back end is a row of a table.
struct BackEnd {
  std::string name;
  // One object with all versions, its header, and what else is asked for.
  void (*write)(const std::vector<Version>& versions, const Outputs& outputs, StageRun& stages);
  // The kernel in this process, for this CPU.
  std::shared_ptr<const JitKernel> (*load)(const Kernel& kernel, const CodegenOptions& options,
                                           StageRun& stages);
};

// The C of a kernel for the CPU of a target (codegen/c/source.h).
std::string c_of(const Kernel& kernel, const std::string& target);

// The back end that the options name.  E0106 if there is none of the name.
const BackEnd& back_end_of(const CodegenOptions& options, const Request& request);

}  // namespace strata
