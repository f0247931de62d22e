#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Makes each contribution of S an atomic read-modify-write of its place, so that contributions to
// one result may run concurrently:
//
//     parallel for k: S(i) += e(i, k)        is legal
//
// Two lanes of one vector instruction may still not write one place. The initial value still comes
// before all contributions, and readers after them. Where contributions run concurrently, the order
// of float additions is not fixed: E0504 in the mode exact.
//
// The same for an update that is a step, X(e) = X(e) (+) r (layers/flow/atomic_step.h), as in a
// histogram:
//
//     parallel for i: h(bin(i)) += 1         is legal
//
// Its instances then commute: their mutual order is not kept. A reader still runs after all steps
// up to the one whose value it reads, and no step runs before the values that the first one reads.
//
// Legal iff S is a reduction or such an update whose operation and type have atomic machine
// operations.
// Errors: E0101 not found; E0106 S is neither, or is a reduction of tuples, with an operation of
// the author's own, or of float16 or bfloat16; and verified().
Program atomic(const Program& program, const std::string& reduction, Given given = {});

}  // namespace strata
