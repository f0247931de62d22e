// Ctrl-C while something runs.
#pragma once

#include <signal.h>

namespace strata::tuning {

// While this lives, SIGINT is noted instead of what the program does with it; but not if the
// program ignores it. One at a time.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  bool is_interrupted() const;

 private:
  struct sigaction before_{};
  bool is_ignored_ = false;
};

}  // namespace strata::tuning
