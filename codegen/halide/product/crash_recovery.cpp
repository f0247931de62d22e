#include "codegen/halide/product/crash_recovery.h"

#include <semaphore.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

// A function of LLVM's C interface. Only a Halide that is linked statically has it. The shared
// library exports none of LLVM's symbols; there a fatal error is an abort.
extern "C" __attribute__((weak)) void LLVMInstallFatalErrorHandler(void (*handler)(const char*));

namespace strata::halide {

namespace {

// The work of one thread. It is shared with the thread, which may stay for ever.
struct Work {
  Work() { sem_init(&ended, 0, 0); }
  ~Work() { sem_destroy(&ended); }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  void wait() {
    while (sem_wait(&ended) != 0) {
    }
  }

  sem_t ended;
  bool crashed = false;
  char reason[400] = "";
  std::exception_ptr thrown;
};

thread_local Work* work_here = nullptr;

// Calls only what a signal handler may call.
[[noreturn]] void stay_for_ever() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  work_here->crashed = true;
  sem_post(&work_here->ended);
  while (true) pause();
}

void on_fatal_error(const char* reason) {
  if (!work_here) return;
  std::snprintf(work_here->reason, sizeof work_here->reason, "%s", reason);
  stay_for_ever();
}

// Handles SIGABRT while any work runs. In threads without work the signal does what it did before.
class AbortHandler {
 public:
  AbortHandler() {
    const std::lock_guard lock(mutex_);
    if (count_++ > 0) return;
    struct sigaction ours = {};
    ours.sa_sigaction = on_abort;
    ours.sa_flags = SA_SIGINFO;
    sigaction(SIGABRT, &ours, &previous_);
    if (LLVMInstallFatalErrorHandler && !std::exchange(llvm_has_handler_, true))
      LLVMInstallFatalErrorHandler(on_fatal_error);
  }
  // A handler that the program has set meanwhile stays.
  ~AbortHandler() {
    const std::lock_guard lock(mutex_);
    if (--count_ > 0) return;
    struct sigaction now = {};
    sigaction(SIGABRT, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_abort)
      sigaction(SIGABRT, &previous_, nullptr);
  }
  AbortHandler(const AbortHandler&) = delete;
  AbortHandler& operator=(const AbortHandler&) = delete;

 private:
  static void on_abort(int signal, siginfo_t* info, void* context) {
    if (work_here) stay_for_ever();
    if (previous_.sa_flags & SA_SIGINFO) return previous_.sa_sigaction(signal, info, context);
    if (previous_.sa_handler == SIG_IGN) return;
    if (previous_.sa_handler != SIG_DFL) return previous_.sa_handler(signal);
    sigaction(SIGABRT, &previous_, nullptr);
    raise(signal);
  }

  static inline std::mutex mutex_;
  static inline int count_ = 0;
  static inline bool llvm_has_handler_ = false;
  static inline struct sigaction previous_ = {};
};

void run(const std::shared_ptr<Work>& work, const std::function<void()>& action) {
  work_here = work.get();
  try {
    action();
  } catch (...) {
    work->thrown = std::current_exception();
  }
  work_here = nullptr;
  sem_post(&work->ended);
}

}  // namespace

std::optional<std::string> find_crash(const std::function<void()>& work) {
  const AbortHandler handler;
  const auto shared = std::make_shared<Work>();
  std::thread thread;
  try {
    thread = std::thread([&work, shared] { run(shared, work); });
  } catch (const std::system_error&) {
    work();
    return std::nullopt;
  }
  shared->wait();
  if (shared->crashed) {
    thread.detach();
    return shared->reason;
  }
  thread.join();
  if (shared->thrown) std::rethrow_exception(shared->thrown);
  return std::nullopt;
}

}  // namespace strata::halide
