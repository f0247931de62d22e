// Whose turn it is: threads without Python's lock.
//
// Handles share their function's state, which one thread may use at a time. Commands hold Python's
// lock; a kernel is compiled without it, and until that is done other threads' commands on the same
// function wait, and let other Python code run.
#pragma once

#include <optional>

#include "core/expr/expr.h"

namespace strata::python {

// Python's lock is released while this lives. The interpreter waits for it before it ends: a
// thread that asked for the lock later would be ended in the middle of C++.  A thread that begins
// when the interpreter ends stops here.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  void* thread_;
};

// At the interpreter's end: returns when no thread is without the lock in the sense above.
void await_all();
// Around a fork: it waits until nothing is compiled, since the child would wait forever for locks
// of the compiler that other threads of its parent held.
void begin_fork();
void end_fork();
// In a forked child, which does not have its parent's other threads.
void forget_threads();

// Returns when no thread compiles a kernel of this function; called with Python's lock. The owner
// is a copy: meanwhile other threads' commands may replace the program that has it.
void await_turn(Owner function);

// Compiles a kernel of the function, with Python's lock released.
class Compilation {
 public:
  // "alone": while no other thread compiles, for work that forks by itself.
  explicit Compilation(const Owner& function, bool alone = false);
  ~Compilation();
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  // While this lives, with Python's lock, the innermost compilation of this thread compiles
  // nothing: a fork does not wait for it.
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
