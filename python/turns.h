// Whose turn it is with a function.
//
// Handles share their function's state, which one thread may use at a time.  Commands hold Python's
// lock; a kernel is compiled without it, and until that is done other threads' commands on the same
// function wait, and let other Python code run.
#pragma once

#include "core/expr/expr.h"

namespace strata::python {

// Returns when no thread compiles a kernel of this function; called with Python's lock.
void await_turn(const Owner& function);

// Waits until no thread compiles a kernel, and from then on stops other threads that begin or end
// one: the back end's data are destroyed when the process exits.  Called with Python's lock, when
// only daemon threads are left.
void end_compilations();

// Compiles a kernel of the function, with Python's lock released.
class Compilation {
 public:
  explicit Compilation(const Owner& function);
  ~Compilation();
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

 private:
  Owner function_;
  void* thread_;
};

}  // namespace strata::python
