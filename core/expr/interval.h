// Interval arithmetic: where the results of integer operations lie, in the mathematical sense.
#pragma once

#include <optional>
#include <vector>

#include "core/expr/expr_memo.h"

namespace strata {

// Wide enough for any product of two signed numbers of 64 bits.
using Wide = __int128;

// The integers from lowest to highest.
struct Interval {
  Wide lowest, highest;
};

// What iterators and parameters make alone, an *index*, lies here: the entry of a kernel checks its
// parameters for that (codegen/halide/bounds/index_range.h).  The factor 4 left to 2^63 is room for
// simplifiers, which multiply out and regroup.
constexpr Interval index_range{-(Wide{1} << 61), Wide{1} << 61};

// The smallest that holds all of these, of which there is one at least.
Interval hull(const std::vector<Wide>& ends);

// The results of an operation of two operands on any values of these: add, sub, mul, min, max,
// shifts by a constant from 0 to 62, and floor division and its remainder, where a division by zero
// may have any result that is no larger than the dividend.  Empty for any other operation.
std::optional<Interval> combined(Op op, const Interval& a, const Interval& b);

// Is it an integer literal greater than zero?
bool is_positive_constant(const Expr& e);

// The values of an integer type.
Interval range_of(Type type);
bool is_inside(const Interval& inner, const Interval& outer);
// The number that an integer constant is.
Wide integer_of(const Expr& constant);

// Where an expression lies; nothing where nothing is known, as of what is read.
using Known = std::optional<Interval>;

// Where the results of the operations in expressions lie, each node asked about once.
class Intervals {
 public:
  virtual ~Intervals() = default;
  Known of(const Expr& e);

 protected:
  // What is to be taken for "e", whose operands lie in these.  The indices of reads, and what is
  // checked, are expressions of their own: nothing is known of them here.
  virtual Known taken(const Expr& e, const std::vector<Known>& parts) = 0;
  // In the mathematical sense: of constants, and of operations whose operands are known.
  static Known exact(const Expr& e, const std::vector<Known>& parts);
  void forget() { known_.clear(); }

 private:
  Memo<Known> known_;
};

}  // namespace strata
