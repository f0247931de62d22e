// Remarks with the places in the author's program.
//
// Environment variable, read at each codegen and jit: STRATA_REMARKS=1 writes the remarks to
// standard error, STRATA_REMARKS=FILE adds them to a file, as a list in JSON if it ends with .json
// (E0503 if it cannot be written, or is not such a list).
#pragma once

#include <string>
#include <vector>

#include "codegen/remarks/remarks.h"
#include "driver/compilation_unit.h"

namespace strata {

// The remarks on "kernel", which has these arguments. Tries the advice: sets "options.after".
Remarks placed_remarks(const CompilationUnit& unit, const Kernel& kernel,
                       const std::vector<std::string>& arguments, RemarkOptions options,
                       const Where& where);

// Writes the remarks on the kernel as STRATA_REMARKS says.
void print_remarks(const CompilationUnit& unit, const Kernel& kernel,
                   const std::vector<std::string>& arguments, const std::string& target,
                   const Request& request);

}  // namespace strata
