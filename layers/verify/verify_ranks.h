// The loops that ranks share (docs/distributed.md).
//
//  R216 a node loop names a partition of the program (E0208) and has steps of one (E0106); it is
//  the
//       only node loop around its branches, in no parallel, vector or unrolled loop and in no
//       launch (E0402); every iteration is in the partition (E0209)
#pragma once

#include "core/error.h"
#include "layers/program.h"

namespace strata {

void verify_ranks(const Program& program, const Request& request);

}  // namespace strata
