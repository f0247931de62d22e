// In which range of its parameters a kernel's index arithmetic is free of overflow.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "codegen/tree/loop_tree.h"

namespace strata::halide {

struct Range {
  std::int64_t lowest, highest;
};

// The parameters that stand in index expressions (bounds and conditions of loops and statements,
// indices, sizes, what the arguments are touched in, assumptions), and the widest range
// [-2^k, 2^k], the same for all, in which interval arithmetic over the loops proves that every
// such expression, and every part of one, stays within 2^61.  The factor 4 left is room for the
// simplifier, which multiplies out and regroups.  Error E0502 where not even k = 0 will do.
std::map<std::string, Range> find_index_ranges(const Kernel& kernel);

// The assumptions of the kernel that do not follow from these ranges.
std::vector<Assumption> assumptions_beyond(const std::map<std::string, Range>& ranges,
                                           const Kernel& kernel);

// Is an int64 expression made of what a kernel reads, apart from what it has checked, or of other
// types or operations than those of indices?  Then nothing is proved of it, and its arithmetic
// wraps.  "known" remembers answers, of expressions that live.
bool is_made_of_data(const Expr& e, std::map<const ExprNode*, bool>& known);

// Every index expression of the kernel, with the loops around it, the outermost first.
struct IndexExpression {
  Expr e;
  std::vector<const For*> loops;
};

std::vector<IndexExpression> index_expressions(const Kernel& kernel);

}  // namespace strata::halide
