// Interval arithmetic: the ranges of integer operations in Z.
#pragma once

#include <optional>
#include <vector>

#include "core/expr/expr_memo.h"

namespace strata {

// Wide enough for the product of two signed 64-bit numbers.
using Wide = __int128;

// The integers from lowest to highest.
struct Interval {
  Wide lowest, highest;
};

// Expressions of iterators and parameters only (an *index*) are in this range: the entry of a
// kernel checks its parameters for that (codegen/entry/index_range.h). The factor 4 to
// 2^63 leaves room for simplifiers, which multiply out and regroup.
constexpr Interval index_range{-(Wide{1} << 61), Wide{1} << 61};

// The smallest interval that contains these numbers, at least one.
Interval hull(const std::vector<Wide>& ends);

// The range of an operation on two operands in these ranges: add, sub, mul, min, max, shifts by a
// constant from 0 to 62, and floor division and remainder. If the divisor may be 0, only the
// dividend bounds the quotient. Nothing for any other operation.
std::optional<Interval> combined(Op op, const Interval& a, const Interval& b);

// True for an integer literal greater than zero.
bool is_positive_constant(const Expr& e);

// The values of an integer type.
Interval range_of(Type type);
bool is_inside(const Interval& inner, const Interval& outer);
// The value of an integer constant.
Wide integer_of(const Expr& constant);

// The range of an expression; nothing if unknown, as for values read.
using Known = std::optional<Interval>;

// The ranges of the operations in expressions, each node computed once.
class Intervals {
 public:
  virtual ~Intervals() = default;
  Known of(const Expr& e);

 protected:
  // The range of "e" given those of its operands. The indices of reads, and of checked, are
  // separate expressions: nothing is known of them here.
  virtual Known taken(const Expr& e, const std::vector<Known>& parts) = 0;
  // In Z: for constants, and for operations whose operands have known ranges.
  static Known exact(const Expr& e, const std::vector<Known>& parts);
  void forget() { known_.clear(); }

 private:
  Memo<Known> known_;
};

}  // namespace strata
