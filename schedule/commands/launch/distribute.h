#pragma once

#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Runs the iterations of a loop on ranks: iteration x on the rank whose interval of the partition
// has x (docs/distributed.md).
//
//     for i: S(i)   ~>   node for i by p: S(i)
//
// Theta is unchanged. The iterations of one rank are in order; values that another rank needs are
// sent.
// Legal iff every iteration is in the partition (R216), and verified() accepts it; whether messages
// can be placed is asked when code is generated (layers/flow/messages.h).
// Errors: E0101, E0102, E0103 not found, E0205 the loop has another partition, E0209 an iteration
// is outside, E0402 what ranks do not do yet, and verified().
Program distribute(const Program& program, const LoopRef& loop, const std::string& partition,
                   Given given = {});

}  // namespace strata
