// Does a kernel execute Theta?
#pragma once

#include "tests/judge/loop_tree_interpreter.h"

namespace strata::judge {

// Compares what a run did with the executions of "mapping" (initial values included); "" or more
// findings:
//  - each instance runs as often as it is scheduled, nothing else runs; those that do nothing
//    ("idle": their condition is false) do not run;
//  - no execution runs before one that precedes it (time_order.h);
//  - the loops around it are those of its branch, with their processors.  A loop may be missing
//    where it has one iteration, and around single iterations that are taken out of it where the
//    range of one of its branches begins or ends; a sequential one around one more.
std::vector<std::string> differences_from_theta(const Mapping& mapping, const Algorithm& algorithm,
                                                const Parameters& parameters,
                                                const std::vector<Executed>& trace,
                                                const Instances& idle = {});

}  // namespace strata::judge
