#pragma once

#include <string>

#include "schedule/command.h"

namespace strata {

// Contributions of S read and write their place in one step that no other thread divides, so that
// two to one result may run at the same time:
//
//     parallel for k: S(i) += e(i, k)        is legal
//
// But for two lanes of one vector instruction, which would write one place.  The initial value
// still comes before, and readers after.  In which order floats are added is open then: E0504 in
// the mode exact.
//
// Legal iff S is a reduction of a kind and type that machines have atomic operations for.
// Errors: E0101 not found; E0106 S is no reduction, or one of tuples or the author's own, or of
// float16 or bfloat16; and judged().
Program atomic(const Program& program, const std::string& reduction, Given given = {});

}  // namespace strata
