// Bounds of loops from conditions on data.
//
//     for (k = l; k < u; ++k) if (k >= e && k < f && rest) S
//     ~>  if (l < u) if (e < u && l < f)
//           for (k = max(l, min(u, e)); k < min(u, max(l, f)); ++k) if (rest) S
//
// where e and f are read from buffers that the loop does not write, and do not depend on k.  The
// rows of a sparse matrix then run their own entries instead of looking at all.  The condition l < u
// stands before what is read, since an iteration that never ran read nothing.  The next condition
// does the same to the loop around: so it goes through a loop over k that was split.  Vectors and
// unrolled loops keep their bounds, and get that condition only.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

Kernel tighten(const Kernel& kernel);

}  // namespace strata
