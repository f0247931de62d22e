// Owner of the isl context, and of the budget that keeps hard questions from hanging.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/sets/relation.h"

namespace strata {

// What isl complains of, without the place in its own source: "syntax error".
std::string message_of(const isl::exception& failure);

// Everything made from a session dies before it.  A session serves one thread at a time; two
// sessions never share anything.
// ("context" keeps its meaning in the field: the constraints on the parameters.)
class Session {
 public:
  // isl operations that one question may take: ten times as many as the hardest one of all examples
  // and benchmarks took (floyd-warshall's, 2 * 10^6).  10^7 of them pass in a second, but only
  // 2 * 10^5 where quotients are many.
  static constexpr unsigned long default_budget = 20'000'000;

  explicit Session(unsigned long budget = default_budget);
  isl::ctx isl() const { return isl::ctx(ctx_.get()); }

  unsigned long budget() const { return budget_; }
  void set_budget(unsigned long operations) { budget_ = operations; }

  // Runs "question" under the budget.  False: it ran out, and nothing it computed counts.
  // The session is usable afterwards either way.  Questions may nest; the outermost one's budget
  // holds for all.
  bool within_budget(const std::function<void()>& question) const;
  // The same with "operations" instead, for a part of a question that has another way out: the
  // question around goes on, its count begun anew.
  bool within(unsigned long operations, const std::function<void()>& part) const;

 private:
  std::shared_ptr<isl_ctx> ctx_;
  unsigned long budget_;
};

}  // namespace strata
