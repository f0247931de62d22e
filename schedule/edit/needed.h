// The values of a computation that its readers need.
#pragma once

#include "layers/program.h"

namespace strata {

// { C[x] -> P[y] : C[x] reads P[y] }. If P is a reduction, a read of the initial value of P(i)
// counts as a read of P[i, k] for all k, in the domain or not: a result without contributions must
// be placed, too.
isl::map reads_of(const Definition& reader, const Definition& producer);

// needed . (R_PP)^* for needed = { pre -> P[y] }: adds the values that P itself needs. Where isl
// has no exact transitive closure, the result is a superset.
isl::map with_own_reads(const isl::map& needed, const Definition& producer);

}  // namespace strata
