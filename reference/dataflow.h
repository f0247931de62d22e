// Checks the read relations of a program against what its instances actually read.
#pragma once

#include "reference/interpreter.h"

namespace strata::reference {

// Runs the program in the reference order and compares, for each instance, what it read and the
// last writer of that with Definition::reads; for a result of a reduction, the writers are all
// contributions and the initial value. A read marked "may" may contain more than what happened.
// Returns "" or one line per instance that differs (at most fifty).
std::vector<std::string> dataflow_differences(const Program& program, const Parameters& parameters,
                                              const Arrays& inputs, const Externs& externs = {});

}  // namespace strata::reference
