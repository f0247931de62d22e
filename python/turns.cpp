#include "python/turns.h"

#include <Python.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace strata::python {

namespace {

// Use the other members only while holding "mutex".
struct Threads {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<const Maker*> compiled;  // functions
  int unlocked = 0;
  int forks = 0;                        // forks that wait, or run
  std::optional<std::thread::id> last;  // the thread that ends the interpreter
};

// Never destroyed: threads may run while the process exits.
Threads& threads() {
  static Threads& all = *new Threads;
  return all;
}

// Returns when "holds" is true, with Python's lock. Between the two locks, another thread may
// change the condition.
template <typename Condition>
void await(Condition holds) {
  for (;;) {
    {
      const std::lock_guard lock(threads().mutex);
      if (holds()) return;
    }
    const Unlocked unlocked;
    std::unique_lock lock(threads().mutex);
    threads().changed.wait(lock, holds);
  }
}

bool is_compiled(const Owner& function) { return threads().compiled.contains(function.get()); }

}  // namespace

Unlocked::Unlocked() {
  bool stops = false;
  {
    const std::lock_guard lock(threads().mutex);
    stops = threads().last && *threads().last != std::this_thread::get_id();
    if (!stops) ++threads().unlocked;
  }
  thread_ = PyEval_SaveThread();
  // Nobody waits for this thread any more, and the process ends without it.
  while (stops) std::this_thread::sleep_for(std::chrono::hours(24));
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
    threads().last = std::this_thread::get_id();
    threads().changed.wait(lock, [] { return threads().unlocked == 0; });
  }
  PyEval_RestoreThread(thread);
}

void begin_fork() {
  {
    const std::lock_guard lock(threads().mutex);
    ++threads().forks;
  }
  await([] { return threads().compiled.empty(); });
}

void end_fork() {
  {
    const std::lock_guard lock(threads().mutex);
    --threads().forks;
  }
  threads().changed.notify_all();
}

void forget_threads() { new (&threads()) Threads; }

void await_turn(Owner function) {
  await([&] { return !is_compiled(function); });
}

// ---- compilations ----

namespace {

thread_local Compilation* innermost = nullptr;

}  // namespace

// Begins when no other thread compiles for the function, and no thread forks.
void Compilation::begin() {
  if (alone_)
    begin_fork();
  else
    await([&] { return !is_compiled(function_) && threads().forks == 0; });
  const std::lock_guard lock(threads().mutex);
  threads().compiled.insert(function_.get());
}

void Compilation::end() {
  {
    const std::lock_guard lock(threads().mutex);
    threads().compiled.erase(function_.get());
  }
  threads().changed.notify_all();
  if (alone_) end_fork();
}

Compilation::Compilation(const Owner& function, bool alone)
    : function_(function), alone_(alone), outer_(innermost) {
  begin();
  innermost = this;
  unlocked_.emplace();
}

Compilation::~Compilation() {
  innermost = outer_;
  end();
}

Compilation::Pause::Pause() : paused_(std::exchange(innermost, nullptr)) {
  if (paused_) paused_->end();
}

Compilation::Pause::~Pause() {
  innermost = paused_;
  if (paused_) paused_->begin();
}

}  // namespace strata::python
