// The kernel of a function.
#pragma once

#include <string>
#include <vector>

#include "core/stage.h"
#include "dsl/state.h"
#include "strata/strata.h"

namespace strata {

// The names of the arguments; E0115 for a buffer of another function.
std::vector<std::string> names_of(const Program& program, const std::vector<Buffer>& arguments,
                                  const Request& request);

// The kernel of the current program; cached until the program, arguments or float mode change.
const Kernel& kernel_of(FunctionState& state, const std::vector<Buffer>& arguments,
                        const CodegenOptions& options, StageRun& stages, const Where& where);

}  // namespace strata
