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
// that was split are tightened. Vector and unrolled loops keep their bounds, and only get that
// condition.
//
// The condition may be in loops inside the loop over k, if it does not depend on them:
//
//     for k for (j = p; j < q; ++j) if (k >= e && k < f) S
//     ~>  if (p < q) if (l < u) if (e < u && l < f) for (k = ..) for j S
//
// where p < q does not depend on k. The condition may also stand around each of several statements,
// one after another.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

Kernel tighten(const Kernel& kernel);

}  // namespace strata
