// Which values of a computation its readers need.
#pragma once

#include "layers/program.h"

namespace strata {

// { C[x] -> P[y] : C[x] reads P[y] }; a reader of a reduction's result reads all contributions,
// and a result has its initial value even where it has none.
isl::map reads_of(const Definition& reader, const Definition& producer);

// needed . (R_PP)^* for needed = { pre -> P[y] }: the values that P needs of itself are followed to
// their closure, or to a larger set where isl knows no exact one.
isl::map with_own_reads(const isl::map& needed, const Definition& producer);

}  // namespace strata
