// Program + arguments + options -> Kernel.
#pragma once

#include <string>
#include <vector>

#include "core/stage.h"
#include "driver/compilation_unit.h"
#include "strata/codegen_options.h"

namespace strata {

// The kernel of the unit's program. The unit keeps it until the program, the arguments, or options
// that it depends on change. "arguments" are names of buffers.
const Kernel& kernel_of(CompilationUnit& unit, const std::vector<std::string>& arguments,
                        const CodegenOptions& options, StageRun& stages, const Where& where);

// Writes the unit's notes to standard error, once, unless the options say no.
void print_notes(CompilationUnit& unit, const CodegenOptions& options);

}  // namespace strata
