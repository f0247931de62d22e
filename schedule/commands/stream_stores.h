#pragma once

#include <string>

#include "schedule/command.h"

namespace strata {

// Stores of whole vectors of S go past the caches into memory (non-temporal stores), where the
// buffer is as large as strata_set_streaming_size (strata/runtime.h) says or larger:
//
//     vector for i: S(i) = e(i)    ~>    vector for i: stream S(i) = e(i)
//
// A store through the caches first reads the line that it writes to; what nobody reads before the
// caches have been through other data is written a third faster so.  Theta and the places stay as
// they are: legal always, and a reader right after finds the value, only more slowly.
// Errors: E0101 not found; E0106 S is a reduction, whose next contribution reads what this one
// wrote.
Program stream_stores(const Program& program, const std::string& definition, Given given = {});

}  // namespace strata
