// Are the read relations of a program what its instances really read?
#pragma once

#include "tests/judge/interpreter.h"

namespace strata::judge {

// Runs the program in the reference order, and compares for every instance what it read, and who
// had written that last, with Definition::reads: of a result of a reduction all contributions and
// the initial value.  A read that is marked "may" may stand for more than what happened.
// "" or one line for each instance that differs (at most fifty).
std::vector<std::string> dataflow_differences(const Program& program, const Parameters& parameters,
                                              const Arrays& inputs, const Externs& externs = {});

}  // namespace strata::judge
