// In which range of its parameters a kernel's index arithmetic is free of overflow.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "codegen/loop_tree.h"

namespace strata::halide {

struct Range {
  std::int64_t lowest, highest;
};

struct IndexRanges {
  std::map<std::string, Range> parameters;  // those that stand in index expressions
};

// The widest ranges [-2^k, 2^k] of all parameters for which interval arithmetic over the loops
// proves that no index expression leaves the 64-bit numbers.
IndexRanges find_index_ranges(const Kernel& kernel);

// A loop without a constant extent, and an upper bound of its steps over the parameters.
struct LoopSteps {
  std::string name;
  Expr most;
};

std::vector<LoopSteps> find_steps_of_loops(const Kernel& kernel);

}  // namespace strata::halide
