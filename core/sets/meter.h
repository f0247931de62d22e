// Counts the work of isl.
#pragma once

#include <isl/ctx.h>

#include "core/sets/operands.h"

namespace strata {

// Charges the work that isl does in a context, and ends it at a limit: from then on its
// calls fail.
//
// isl counts its operations, which are allocations and pivots of tableaux, and has a limit on them.
// But a pivot takes longer the larger the tableau, and tableaux and their numbers grow in a call
// that takes many operations. So n operations in a call whose operands have a tableau of r rows
// and c columns, and d pairs of disjuncts, are charged
//
//     w (n + (w n)^2 / 2^24 + d - 1)     units, where w = 0.4 (4 + sqrt(r c))
//
// and a multiple of that in the scope of a Costlier. The sum depends on the program alone, not on
// the machine. A unit takes 0.05 to 0.1 us.
//
// Meters of a thread nest: what is charged to the inner one is charged to the outer one, too.
class Meter {
 public:
  Meter(isl_ctx* ctx, double limit);
  ~Meter();
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  // The innermost meter of the thread, if it is one of this context.
  static Meter* of(isl_ctx* ctx);

  void begin(const IslOperands& operands);
  void end();
  bool is_exhausted();

 private:
  double left();
  void settle();
  void restart();
  void exhaust();
  bool reaches(unsigned long operations) const;
  unsigned long operations() const;

  isl_ctx* const ctx_;
  Meter* const around_;
  double limit_, spent_ = 0;
  double end_;  // in seconds of CPU of the thread
  double weight_ = 1, times_ = 1;
  unsigned long most_ = 0;  // isl's limit on operations
  int depth_ = 0;           // calls that have begun and not ended
  unsigned calls_ = 0;
  bool exhausted_ = false;
};

// In its scope, an operation is charged so many times as much: it takes longer than others.
// Parametric integer programming has a tableau of the parameters, too, and samples it. It decides
// whether a relation is injective, and finds a function in a relation. A search for last writers is
// not told its operands.
constexpr double parametric_programming = 5, injectivity = 3, function_of_relation = 1.5,
                 last_writer = 6;
class Costlier {
 public:
  explicit Costlier(double times);
  ~Costlier();
  Costlier(const Costlier&) = delete;
  Costlier& operator=(const Costlier&) = delete;

 private:
  const double around_;
};

// The answer to "question", asked in the scope of a Costlier.
template <typename Question>
auto costlier(double times, const Question& question) {
  const Costlier scope(times);
  return question();
}

}  // namespace strata
