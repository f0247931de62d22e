// From a finding to a small one.
#pragma once

#include "tests/fuzz/finding.h"

namespace strata::fuzz {

// Leaves out commands, definitions and parts of values, as long as a finding of the same kind and
// name is left, and no longer than "seconds".
Finding shrunk(Finding finding, const Compiler& compiler, double seconds = 60);

}  // namespace strata::fuzz
