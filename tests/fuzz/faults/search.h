// The search for a fault that is planted in copies of the library's sources.
#pragma once

#include "tests/fuzz/fuzz_case.h"

namespace strata::fuzz {

// Of "words", FAULT KIND FIRST PROGRAMS: switches the fault on and draws the programs of "is_drawn"
// among PROGRAMS from FIRST on. Returns 0 if there is a finding of the kind: "found" if something
// illegal is accepted or computed wrongly, "refused" if something legal is refused.
int search_fault(int count, char** words, const Options& options, bool (*is_drawn)(std::uint64_t));

}  // namespace strata::fuzz
