// Describes the difference between two programs of one session; "" if they are equal. Relations
// are compared as sets, expressions as trees, loops by name and processor.
#pragma once

#include <string>

#include "layers/program.h"

namespace strata::test {

std::string difference(const Program& a, const Program& b);

}  // namespace strata::test
