#pragma once

#include <string>

#include "schedule/edit/command.h"

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
// The same of an update that is a step, X(e) = X(e) (+) r (layers/flow/atomic_step.h), as a histogram's:
//
//     parallel for i: h(bin(i)) += 1         is legal
//
// Its instances commute then: no order among them is kept, all of them are there before a reader,
// and none begins before what the first of them reads.
//
// Legal iff S is a reduction or such an update, of a kind and type that machines have atomic
// operations for.
// Errors: E0101 not found; E0106 S is neither, or a reduction of tuples or the author's own, or of
// float16 or bfloat16; and judged().
Program atomic(const Program& program, const std::string& reduction, Given given = {});

}  // namespace strata
