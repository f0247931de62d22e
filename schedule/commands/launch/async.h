#pragma once

#include "schedule/edit/command.h"

namespace strata {

// Marks the branches of a copy from global to shared memory as asynchronous (Branch::asynchronous):
// a thread that runs such a copy goes on at once, and waits for it at the barrier before its first
// reader or, where no barrier is between, just before that reader (layers/flow/barriers.h).
//
//     block b: for k: copy(.., k + 1) = X(..); C(.., k) from copy      the copies for the next step
//                                                                      are under way in this one
//
// With CUDA a copy of 4, 8 or 16 bytes that lie together, as far as that is proved, is cp.async;
// other copies, and those of OpenCL, are ordinary ones.
//
// Theta is unchanged: legal wherever a copy at that time is. The branches fulfil R214: a copy has
// the values of another array, as they are, and is made in a block, in shared memory, from global
// memory.
// Errors: E0101 not found; E0204 not scheduled; E0106 no such copy.
Program async(const Program& program, const BranchRef& copy, Given given = {});

}  // namespace strata
