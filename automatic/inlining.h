// Which computations their readers should compute themselves.
#pragma once

#include <string>
#include <vector>

#include "automatic/facts/members.h"

namespace strata::automatic {

// The computations that cost few more operations if each reader computes what it reads. If an
// element is read "reads" times, (reads - 1) * operations is at most 2. This holds for chains of
// elementwise computations, and for copies that only rearrange. In the list, readers come before
// what they read.
std::vector<std::string> cheap_to_inline(const Facts& facts);

}  // namespace strata::automatic
