// The turns of threads that run without Python's lock.
//
// Handles share their function's state, which one thread may use at a time. Commands hold Python's
// lock. A kernel is compiled without the lock. Meanwhile, commands of other threads on the same
// function wait, and let other Python code run.
#pragma once

#include <optional>

#include "core/expr/expr.h"

namespace strata::python {

// Python's lock is released while this lives. The interpreter waits for the end of this before it
// ends: a thread that asked for the lock later would be ended in the middle of C++. A thread that
// comes here when the interpreter ends stops here.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  void* thread_;
};

// Called at the interpreter's end. Returns when no Unlocked lives any more.
void await_all();
// Called around a fork. begin_fork waits until nothing is compiled: else the child would wait for
// ever for locks of the compiler that its parent's other threads held.
void begin_fork();
void end_fork();
// Called in a forked child, which does not have its parent's other threads.
void forget_threads();

// Returns when no thread compiles a kernel of this function. Call it with Python's lock. The owner
// is a copy, since meanwhile commands of other threads may replace the program that has it.
void await_turn(Owner function);

// Compiles a kernel of the function, with Python's lock released.
class Compilation {
 public:
  // With "alone", no other thread compiles meanwhile, for work that forks by itself.
  explicit Compilation(const Owner& function, bool alone = false);
  ~Compilation();
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  // While this lives, this thread holds Python's lock, and its innermost compilation compiles
  // nothing. So a fork does not wait for it.
  class Pause {
   public:
    Pause();
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Compilation* paused_;
  };

 private:
  void begin();
  void end();

  Owner function_;
  bool alone_;
  Compilation* outer_;
  std::optional<Unlocked> unlocked_;
};

}  // namespace strata::python
