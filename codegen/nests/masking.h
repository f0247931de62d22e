// What a vector that a border cuts may do under masks as fast as without them.
#pragma once

#include "codegen/nests/time_space.h"
#include "core/machine/machine.h"

namespace strata {

// The accesses of vectors that cost no more if lanes are switched off: none, loads of 32- and
// 64-bit numbers, or all.
enum class Masks { none, loads, all };
Masks masks_of(const Machine& machine);

// May all that an instance accesses be masked?
bool can_be_masked(const TimeBranch& branch, Masks masks);

// Does an instance read the array that it defines, in memory that is not an iteration's own? What a
// load reads under a mask may have been stored just before, with other lanes or by one of them:
// then it waits for that store to leave the core's buffer. An iteration's own memory becomes
// registers.
bool updates_in_place(const TimeBranch& branch);

// Is something read at an index that depends on data? Under a mask that is a branch for each lane.
bool reads_at_data(const TimeBranch& branch);

}  // namespace strata
