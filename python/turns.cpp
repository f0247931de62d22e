#include "python/turns.h"

#include <Python.h>

#include <condition_variable>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>

namespace strata::python {

namespace {

// All but the mutex is used with "mutex" held.
struct Threads {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<const Maker*> compiled;  // functions
  int unlocked = 0;
  bool ending = false;

  void end_compilation(const Owner& function) {
    {
      const std::lock_guard lock(mutex);
      compiled.erase(function.get());
    }
    changed.notify_all();
  }
};

// Never destroyed: threads may run while the process exits.
Threads& threads() {
  static Threads& all = *new Threads;
  return all;
}

}  // namespace

Unlocked::Unlocked() {
  {
    const std::lock_guard lock(threads().mutex);
    if (threads().ending) throw std::runtime_error("the interpreter ends");
    ++threads().unlocked;
  }
  thread_ = PyEval_SaveThread();
}

Unlocked::~Unlocked() {
  PyEval_RestoreThread(static_cast<PyThreadState*>(thread_));
  {
    const std::lock_guard lock(threads().mutex);
    --threads().unlocked;
  }
  threads().changed.notify_all();
}

void await_all() {
  PyThreadState* const thread = PyEval_SaveThread();
  {
    std::unique_lock lock(threads().mutex);
    threads().ending = true;
    threads().changed.wait(lock, [] { return threads().unlocked == 0; });
  }
  PyEval_RestoreThread(thread);
}

void forget_threads() { new (&threads()) Threads; }

void await_turn(const Owner& function) {
  Threads& all = threads();
  // Between the two locks another thread may begin again.
  for (;;) {
    {
      const std::lock_guard lock(all.mutex);
      if (!all.compiled.contains(function.get())) return;
    }
    const Unlocked unlocked;
    std::unique_lock lock(all.mutex);
    all.changed.wait(lock, [&] { return !all.compiled.contains(function.get()); });
  }
}

Compilation::Compilation(const Owner& function) : function_(function) {
  await_turn(function_);
  {
    const std::lock_guard lock(threads().mutex);
    threads().compiled.insert(function_.get());
  }
  try {
    unlocked_.emplace();
  } catch (...) {
    threads().end_compilation(function_);
    throw;
  }
}

Compilation::~Compilation() { threads().end_compilation(function_); }

}  // namespace strata::python
