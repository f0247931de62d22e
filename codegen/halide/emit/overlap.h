// The vector at the end of a row that is cut, on CPUs without masks:
//     for j in 0 .. n / 8 { vector lane in 0 .. 8 { S(8 j + lane) } }
//     vector lane in 0 .. n % 8 { S(8 (n / 8) + lane) }
//     ~>  if (n / 8 > 0) vector lane in n % 8 - 8 .. n % 8 { S(8 (n / 8) + lane) }
//         else           vector lane in 0 .. n % 8         { S(8 (n / 8) + lane) }
// As its number of lanes is not constant, it would run lane after lane, each of which takes as long
// as a vector. Some of the last full vector runs again, which is allowed if it stores the same
// again: S is one execution, in both loops the same function of its place, which reads nothing that
// is in the buffer it stores to.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// Are two buffers parts of the same memory?
using ShareMemory = std::function<bool(const std::string&, const std::string&)>;

// The statements of a block, with each such vector replaced. Whether it continues the loop before
// is decided when the kernel runs.
std::vector<StmtPtr> with_overlaps(std::vector<StmtPtr> block, const ShareMemory& share_memory);

}  // namespace strata::halide
