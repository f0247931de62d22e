#include "python/turns.h"

#include <Python.h>

#include <condition_variable>
#include <mutex>
#include <set>

namespace strata::python {

namespace {

// The functions being compiled; changed by threads that hold Python's lock or "mutex".
struct Compiled {
  std::mutex mutex;
  std::condition_variable ended;
  std::set<const Maker*> functions;
};

// Never destroyed: threads may compile while the process exits.
Compiled& compiled() {
  static Compiled& all = *new Compiled;
  return all;
}

}  // namespace

void await_turn(const Owner& function) {
  Compiled& all = compiled();
  {
    const std::lock_guard lock(all.mutex);
    if (!all.functions.contains(function.get())) return;
  }
  PyThreadState* const thread = PyEval_SaveThread();
  {
    std::unique_lock lock(all.mutex);
    all.ended.wait(lock, [&] { return !all.functions.contains(function.get()); });
  }
  PyEval_RestoreThread(thread);
  // Between the two locks another thread may have begun.
  await_turn(function);
}

Compilation::Compilation(const Owner& function) : function_(function) {
  await_turn(function_);
  {
    const std::lock_guard lock(compiled().mutex);
    compiled().functions.insert(function_.get());
  }
  thread_ = PyEval_SaveThread();
}

Compilation::~Compilation() {
  {
    const std::lock_guard lock(compiled().mutex);
    compiled().functions.erase(function_.get());
  }
  compiled().ended.notify_all();
  PyEval_RestoreThread(static_cast<PyThreadState*>(thread_));
}

}  // namespace strata::python
