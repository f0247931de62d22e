// From a finding to a small one.
#pragma once

#include "tests/fuzz/finding.h"

namespace strata::fuzz {

// Leaves out commands, definitions and parts of values, as long as a finding of the same kind and
// name is left, and in no more than so many attempts.
Finding shrunk(Finding finding, const Compiler& compiler, int attempts = 300);

}  // namespace strata::fuzz
