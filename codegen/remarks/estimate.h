// Estimates of index expressions, for typical sizes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "codegen/tree/loop_tree.h"
#include "codegen/tree/work.h"

namespace strata {

using Values = std::map<std::string, std::int64_t>;  // of parameters and iterators

// The value of an integer or boolean expression; nothing if it depends on data, or on a name
// without a value.
std::optional<std::int64_t> estimated(const Expr& e, const Values& values);

// The iterator in the middle of lower <= i < upper.
std::int64_t middle(std::int64_t lower, std::int64_t upper);

// The cycles that work takes, from values for all that it depends on; infinity if it is unknown.
double estimated_cycles(const Work& work, const Values& values);

// Values for the parameters of a kernel: "given", and for the others the first of 1000, 1024, 960,
// 512, 100, 64, .., 1 with which the kernel's assumptions hold (1000 if there is none).
Values typical_sizes(const Kernel& kernel, const Values& given);

}  // namespace strata
