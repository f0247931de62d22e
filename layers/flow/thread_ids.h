// The threads of a block on a GPU.
#pragma once

#include "layers/mapping.h"

namespace strata {

// { [t0, .., t(d-1)] -> [z, y, x] }: which thread of its block runs an execution of the branch at
// this time.  With the thread loops around it at levels l, the innermost one being axis x,
//     t_l - lower_l(t0, .., t(l-1))
// where lower_l is the first value in the range of constant size around the iterations of that loop
// (its threads begin there, in all blocks); 0 on axes without a loop.  "mapping" is complete
// (initial_values.h), "context" what is known of the parameters.  Where a thread loop has no such
// range, which no code can be generated for, lower_l is 0.
isl::map thread_ids(const Mapping& mapping, const Placed& placed, const isl::set& context);

}  // namespace strata
