// Which computations are better computed where they are read.
#pragma once

#include <string>
#include <vector>

#include "automatic/facts/members.h"

namespace strata::automatic {

// Those that cost few operations more if each reader computes what it reads: with "reads" how often
// an element is read, (reads - 1) * operations is at most 2. So are chains of elementwise
// computations, and copies that only rearrange. The readers of one stand before it.
std::vector<std::string> cheap_to_inline(const Facts& facts);

}  // namespace strata::automatic
