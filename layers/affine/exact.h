// Where integer arithmetic does not wrap, so that it is arithmetic in Z.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/expr/interval.h"
#include "core/sets/relation.h"

namespace strata {

// The operations in expressions that may wrap: those of integers that, on some operands in the
// intervals given, have a result outside of their type, or a result of such a one for an operand.
// Values that are read may be anything, and so may what is computed from them.
class Wrapping : private Intervals {
 public:
  // Parameters and iterators lie in [-2^31, 2^31]: sizes up to there are ordinary.
  Wrapping();
  // What may wrap for ordinary sizes is written out (below), and asked about no more; nor is
  // another type than int64, whose operations have results in "allowed".
  Wrapping(Wrapping& ordinary, const Interval& parameters,
           const std::map<std::string, Interval>& iterators, const Interval& allowed);

  bool wraps(const Expr& operation);
  bool wraps_somewhere_in(const Expr& e);
  // The node "e" with the operands "args"; an operation of int64 that may wrap is written out as
  // what it is, arithmetic modulo 2^64: a * b as int64(uint64(a) * uint64(b)).
  Expr written_out(const Expr& e, const std::vector<Expr>& args);

 private:
  Known taken(const Expr& e, const std::vector<Known>& parts) override;

  Wrapping* ordinary_ = nullptr;
  Interval others_;
  std::map<std::string, Interval> iterators_;
  Interval allowed_;
  std::set<const ExprNode*> wrapping_;
};

// Is the value of "e" that of its arithmetic in Z, for all ordinary sizes?
bool is_exact(const Expr& e);

// For some parameters p a k: arithmetic is known to be exact for -2^k <= p <= 2^k.
using ExactRange = std::map<std::string, int>;
constexpr int widest_exact = 61;

// An expression whose int64 arithmetic is taken for exact where it does not wrap for ordinary sizes.
struct ExactUse {
  Expr e;
  bool is_index = false;  // then its results lie within 2^61
};

// The largest k, for all parameters that matter, with which the arithmetic of "uses" is
// exact in { S[i] } "where", i being "iterators"; an iterator that is unbounded there is taken for
// ordinary.  Empty if there is no such k.
std::optional<ExactRange> exact_range(const std::vector<ExactUse>& uses, const isl::set& where,
                                      const std::vector<std::string>& iterators);

// Notes "range" in "needed", of each parameter the smaller k.  The kernel checks anyway that the
// parameters of what it executes, "made", are within 2^61 (codegen/halide/bounds/index_range.h): those are
// not noted.
void note(ExactRange& needed, const ExactRange& range, const isl::set& made);

// -2^k <= p && p <= 2^k, for each p: a program assumes that of its parameters.
std::vector<Expr> assumptions_of(const ExactRange& range);

}  // namespace strata
