// The asynchronous copies of a block that threads have begun and not waited for.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reference/points.h"

namespace strata::reference {

class CopyLog {
 public:
  using Place = std::pair<std::string, Point>;  // in a room
  struct Copy {
    std::int64_t thread;
    Place source, target;
    std::function<void()> finish;
  };

  void begin_block() { begun_.clear(); }
  void begin(const Copy& copy) { begun_.push_back(copy); }
  // Those that the thread has begun, which waits for them now.
  std::vector<Copy> done(std::int64_t thread);
  // What is wrong with an access to the place now, or "": nobody may touch the target of a copy, or
  // write its source, before it is done.
  std::string find_early(const Place& place, bool writes) const;

 private:
  std::vector<Copy> begun_;
};

}  // namespace strata::reference
