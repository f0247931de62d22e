// Reduces a finding to a small one.
#pragma once

#include "tests/fuzz/finding.h"

namespace strata::fuzz {

// Removes commands, definitions and parts of values while a finding of the same kind and name
// remains, in at most "attempts" attempts.
Finding shrunk(Finding finding, const Compiler& compiler, int attempts = 300);

}  // namespace strata::fuzz
