// Ctrl-C while something runs.
#pragma once

#include <signal.h>

namespace strata::tuning {

// While this lives, it notes SIGINT, and the program's own handler is not called. It does nothing
// if the program ignores SIGINT. There may be only one at a time.
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
