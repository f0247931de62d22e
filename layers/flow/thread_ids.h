// The threads of a block on a GPU.
#pragma once

#include "layers/mapping.h"

namespace strata {

// { [t0, .., t(d-1)] -> [z, y, x] }: the thread of the block that runs the branch at this time. The
// thread loops around the branch are the axes, the innermost one is x. On the axis of the loop at
// level l the thread has the index
//     t_l - lower_l(t0, .., t(l-1))
// where lower_l is the first value in the range of constant size around the iterations of that
// loop: the threads of all blocks begin there. On axes without a loop the index is 0. "mapping" is
// complete (initial_values.h), and "context" is what is known about the parameters. If a thread
// loop has no such range, no code can be generated for it, and lower_l is 0.
isl::map thread_ids(const Mapping& mapping, const Placed& placed, const isl::set& context);

}  // namespace strata
