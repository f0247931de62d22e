// Where integer arithmetic does not wrap, so that it is exact in Z.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/expr/interval.h"
#include "core/sets/relation.h"

namespace strata {

// The operations that may wrap: integer operations whose result, for some operands in the given
// intervals, is outside of their type, or that have such an operation as an operand. Nothing is
// known of values read from arrays, so operations on them do not count.
class Wrapping : private Intervals {
 public:
  // For ordinary sizes: parameters and iterators in [-2^31, 2^31].
  Wrapping();
  // For other sizes: checks only the int64 operations that do not wrap for ordinary ones (the
  // others are written out, below), whose results must be in "allowed".
  Wrapping(Wrapping& ordinary, const Interval& parameters,
           const std::map<std::string, Interval>& iterators, const Interval& allowed);

  bool wraps(const Expr& operation);
  bool wraps_somewhere_in(const Expr& e);
  // The node "e" with the operands "args"; an int64 operation that may wrap is written out as
  // arithmetic modulo 2^64: a * b as int64(uint64(a) * uint64(b)).
  Expr written_out(const Expr& e, const std::vector<Expr>& args);

 private:
  Known taken(const Expr& e, const std::vector<Known>& parts) override;

  Wrapping* ordinary_ = nullptr;
  Interval others_;
  std::map<std::string, Interval> iterators_;
  Interval allowed_;
  std::set<const ExprNode*> wrapping_;
};

// True if "e" evaluates as in Z for all ordinary sizes.
bool is_exact(const Expr& e);

// Maps some parameters p to k: arithmetic is known to be exact for -2^k <= p <= 2^k.
using ExactRange = std::map<std::string, int>;
constexpr int widest_exact = 61;

// An expression whose int64 arithmetic counts as exact where it does not wrap for ordinary sizes.
struct ExactUse {
  Expr e;
  bool is_index = false;  // then its results are within 2^61
};

// The largest k, the same for all relevant parameters, for which the arithmetic of "uses" is exact
// in { S[i] } "where" with i = "iterators"; an iterator that is unbounded there counts as ordinary.
// Nothing if there is no such k.
std::optional<ExactRange> exact_range(const std::vector<ExactUse>& uses, const isl::set& where,
                                      const std::vector<std::string>& iterators);

// Merges "range" into "needed", taking the smaller k per parameter. Parameters of the executed
// relation "made" need no entry at 2^61, which the kernel checks anyway
// (codegen/entry/index_range.h).
void note(ExactRange& needed, const ExactRange& range, const isl::set& made);

// Assumptions on the parameters of a program: -2^k <= p && p <= 2^k, for each p.
std::vector<Expr> assumptions_of(const ExactRange& range);

}  // namespace strata
