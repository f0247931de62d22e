// Checks that a kernel executes Theta.
#pragma once

#include "reference/loop_tree_interpreter.h"

namespace strata::reference {

// Compares a run with the executions of "mapping" (initial values included); returns "" or
// findings:
//  - each instance runs as often as it is scheduled, and nothing else runs; instances whose
//    condition is false ("idle") do not run;
//  - no execution runs before one that precedes it (time_order.h);
//  - the loops around an execution are those of its branch, with their processors. A loop may be
//    missing around iterations near an end or a gap of the range of one of its branches, since
//    these may be peeled off (so a loop of one iteration may be missing altogether); a sequential
//    loop also around one other iteration.
std::vector<std::string> differences_from_theta(const Mapping& mapping, const Algorithm& algorithm,
                                                const Parameters& parameters,
                                                const std::vector<Executed>& trace,
                                                const Instances& idle = {});

}  // namespace strata::reference
