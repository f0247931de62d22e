#include "python/turns.h"

#include <Python.h>

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace strata::python {

namespace {

// The functions being compiled; changed by threads that hold Python's lock or "mutex".
struct Compiled {
  std::mutex mutex;
  std::condition_variable ended;
  std::set<const Maker*> functions;
  std::optional<std::thread::id> last;  // the thread that ends the process

  bool stops_this_thread() const { return last && *last != std::this_thread::get_id(); }
};

// Never destroyed: threads may compile while the process exits.  In a forked child none does.
Compiled& compiled() {
  static Compiled* all = new Compiled;
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, [] { all = new Compiled; });
  return *all;
}

[[noreturn]] void stop_this_thread() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(24));
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

void end_compilations() {
  Compiled& all = compiled();
  PyThreadState* const thread = PyEval_SaveThread();
  {
    std::unique_lock lock(all.mutex);
    all.last = std::this_thread::get_id();
    all.ended.wait(lock, [&] { return all.functions.empty(); });
  }
  PyEval_RestoreThread(thread);
}

Compilation::Compilation(const Owner& function) : function_(function) {
  await_turn(function_);
  bool stops = false;
  {
    const std::lock_guard lock(compiled().mutex);
    stops = compiled().stops_this_thread();
    if (!stops) compiled().functions.insert(function_.get());
  }
  thread_ = PyEval_SaveThread();
  if (stops) stop_this_thread();
}

Compilation::~Compilation() {
  bool stops = false;
  {
    const std::lock_guard lock(compiled().mutex);
    compiled().functions.erase(function_.get());
    stops = compiled().stops_this_thread();
  }
  compiled().ended.notify_all();
  if (stops) stop_this_thread();
  PyEval_RestoreThread(static_cast<PyThreadState*>(thread_));
}

}  // namespace strata::python
