// The range of parameters in which a kernel's index arithmetic does not overflow.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "codegen/tree/loop_tree.h"

namespace strata {

struct ParameterRange {
  std::int64_t lowest, highest;
};

// For each parameter in an index expression, the widest range [-2^k, 2^k], with the same k for all,
// for which interval arithmetic over the loops proves that every part of every index expression
// stays within 2^61. The remaining factor 4 is room for the simplifier, which multiplies out and
// regroups. Index expressions are bounds and conditions of loops and statements, indices, sizes,
// the boxes of the arguments, and assumptions. E0502 if even k = 0 fails.
std::map<std::string, ParameterRange> find_index_ranges(const Kernel& kernel);

// The assumptions of the kernel that do not follow from these ranges.
std::vector<Assumption> assumptions_beyond(const std::map<std::string, ParameterRange>& ranges,
                                           const Kernel& kernel);

// Does an int64 expression contain unchecked data that the kernel reads, or types or operations
// that indices do not have? Then nothing is proved about it, and its arithmetic wraps. "known"
// caches the answers; the expressions must outlive it.
bool is_made_of_data(const Expr& e, std::map<const ExprNode*, bool>& known);

// An index expression and the loops around it, outermost first.
struct IndexExpression {
  Expr e;
  std::vector<const For*> loops;
};

// All index expressions of a kernel, including its bodies before the passes.
std::vector<IndexExpression> index_expressions(const Kernel& kernel);

}  // namespace strata
