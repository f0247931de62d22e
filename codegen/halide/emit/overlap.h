// The partial vector at the end of a row, on CPUs without masks:
//     for j in 0 .. n / 8 { vector lane in 0 .. 8 { S(8 j + lane) } }
//     vector lane in 0 .. n % 8 { S(8 (n / 8) + lane) }
//     ~>  if (n / 8 > 0) vector lane in n % 8 - 8 .. n % 8 { S(8 (n / 8) + lane) }
//         else           vector lane in 0 .. n % 8         { S(8 (n / 8) + lane) }
// The number of lanes of this vector is not constant. So it would run lane after lane, and each
// lane takes as long as a vector. After the rewrite, some lanes of the last full vector run again.
// This is allowed if they store the same again: S is one execution, in both loops it is the same
// function of its place, and it reads nothing from the buffer that it stores to.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// True if two buffers are parts of the same memory.
using ShareMemory = std::function<bool(const std::string&, const std::string&)>;

// The statements of a block, with each such vector replaced. The kernel decides when it runs
// whether the vector continues the loop before it.
std::vector<StmtPtr> with_overlaps(std::vector<StmtPtr> block, const ShareMemory& share_memory);

}  // namespace strata::halide
