// Derives bounds of loops from conditions on data.
//
//     for (k = l; k < u; ++k) if (k >= e && k < f && rest) S
//     ~>  if (l < u) if (e < u && l < f)
//           for (k = max(l, min(u, e)); k < min(u, max(l, f)); ++k) if (rest) S
//
// where e and f are read from buffers that the loop does not write, and do not depend on k. So a
// loop over a row of a sparse matrix runs only the entries of the row. The condition l < u comes
// before the reads of e and f, since a loop without iterations reads nothing. The condition
// (e < u && l < f) then tightens the loop around in the same way, so both levels of a loop over k
// that was split are tightened. Vector and unrolled loops keep their bounds, and get that condition
// only.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

Kernel tighten(const Kernel& kernel);

}  // namespace strata
