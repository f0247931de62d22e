// The values of a computation that its readers need.
#pragma once

#include "layers/program.h"

namespace strata {

// { C[x] -> P[y] : C[x] reads P[y] }.
// A reader of a reduction's result reads all contributions to it, and the initial value, which
// exists even without contributions.
isl::map reads_of(const Definition& reader, const Definition& producer);

// needed . (R_PP)^* for needed = { pre -> P[y] }: adds the values that P itself needs. Where isl
// has no exact transitive closure, the result is a superset.
isl::map with_own_reads(const isl::map& needed, const Definition& producer);

}  // namespace strata
