// Owner of the isl context, and of the budget that bounds the time of hard questions.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/sets/relation.h"

namespace strata {

// isl's error message without the location in its own source: "syntax error".
std::string message_of(const isl::exception& failure);

// All objects of a session must be destroyed before it. A session serves one thread at a time;
// sessions share nothing. (Everywhere else "context" means the constraints on the parameters.)
class Session {
 public:
  // Units of work (core/sets/meter.h) for one command, or one generation of loops: about 2 s. The
  // hardest loops of the benchmarks, a convolution on a GPU, need 22 million.
  static constexpr unsigned long default_budget = 26'000'000;

  explicit Session(unsigned long budget = default_budget);
  isl::ctx isl() const { return isl::ctx(ctx_.get()); }

  unsigned long budget() const { return budget_; }
  void set_budget(unsigned long work) { budget_ = work; }

  // Runs "question" under the budget. Returns false if the budget ran out; its results are then
  // invalid. The session is usable afterwards in both cases. Questions may nest; the outermost
  // budget applies to all.
  bool within_budget(const std::function<void()>& question) const;
  // The same with a budget of its own, for a part of a question that has a fallback. What it takes
  // counts to the enclosing question, too.
  bool within(double work, const std::function<void()>& part) const;

 private:
  std::shared_ptr<isl_ctx> ctx_;
  unsigned long budget_;
};

}  // namespace strata
