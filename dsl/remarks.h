// Remarks with the places in the author's program.
//
// Environment variable, read at each codegen and jit: STRATA_REMARKS=1 writes the remarks to
// standard error, STRATA_REMARKS=FILE adds them to a file (E0503 if it cannot be written).
#pragma once

#include <vector>

#include "codegen/remarks/remarks.h"
#include "dsl/state.h"

namespace strata {

std::vector<Remark> placed_remarks(const FunctionState& state, const Kernel& kernel,
                                   const RemarkOptions& options, const Where& where);

// Writes the remarks on the kernel as STRATA_REMARKS says.
void print_remarks(const FunctionState& state, const Kernel& kernel, const std::string& target,
                   const Request& request);

}  // namespace strata
