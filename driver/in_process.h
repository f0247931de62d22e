// Program + arguments + options -> a kernel in this process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/compilation_unit.h"
#include "driver/jit_kernel.h"
#include "strata/codegen_options.h"

namespace strata {

// E0402 a kernel on several ranks; E0502 a C function whose address is not known.
std::shared_ptr<const JitKernel> kernel_in_process(CompilationUnit& unit,
                                                   const std::vector<std::string>& arguments,
                                                   const CodegenOptions& options, StageRun& stages,
                                                   const Where& where);

}  // namespace strata
