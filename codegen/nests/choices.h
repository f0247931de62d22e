// Expressions that choose one of their operands by an affine condition: the clamps, mirrors and
// wraps of an index, and every select.
//
//     expression      condition       first   second
//     select(c, a, b) c               a       b
//     min(a, b)       a <= b          a       b
//     max(a, b)       a >= b          a       b
//     abs(a)          a >= 0          a       -a
//     a % b           0 <= a < b      a       (neither)
#pragma once

#include <map>
#include <vector>

#include "core/expr/expr.h"
#include "core/sets/relation.h"

namespace strata {

struct TimeBranch;

struct Choice {
  Expr e;              // a node of an expression of the branch's definition
  Expr first, second;  // "second" is undefined for "%"
  isl::set when;       // { B[t] : e = first }; elsewhere e = second
};

// Of all selects whose condition is affine, and of the operations above in indices whose operands
// are: there arithmetic is exact (layers/flow/exact_reads.h). At most "most_choices" of a branch;
// any others are left as they are.
inline constexpr int most_choices = 256;
std::vector<Choice> choices_of(const TimeBranch& branch);

// What the nodes are at all of "times" = { B[t] }, where that is one operand.
std::map<const ExprNode*, Expr> decided(const std::vector<Choice>& choices, const isl::set& times);

}  // namespace strata
