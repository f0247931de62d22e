// The range of parameters in which a kernel's index arithmetic does not overflow.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "codegen/tree/loop_tree.h"

namespace strata::halide {

struct Range {
  std::int64_t lowest, highest;
};

// The parameters that occur in index expressions (bounds and conditions of loops and statements,
// indices, sizes, bounds of what is touched in the arguments, assumptions), and the widest range
// [-2^k, 2^k], the same for all, for which interval arithmetic over the loops proves that every
// such expression, and every part of one, stays within 2^61. The remaining factor 4 is room for the
// simplifier, which multiplies out and regroups. E0502 if even k = 0 fails.
std::map<std::string, Range> find_index_ranges(const Kernel& kernel);

// The assumptions of the kernel that do not follow from these ranges.
std::vector<Assumption> assumptions_beyond(const std::map<std::string, Range>& ranges,
                                           const Kernel& kernel);

// Does an int64 expression contain data that the kernel reads, other than checked ones, or types or
// operations that indices do not have? Then nothing is proved about it, and its arithmetic wraps.
// "known" caches answers, for expressions that outlive it.
bool is_made_of_data(const Expr& e, std::map<const ExprNode*, bool>& known);

// Every index expression of the kernel, with the loops around it, outermost first.
struct IndexExpression {
  Expr e;
  std::vector<const For*> loops;
};

std::vector<IndexExpression> index_expressions(const Kernel& kernel);

}  // namespace strata::halide
