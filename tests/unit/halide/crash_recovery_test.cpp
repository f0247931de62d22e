// Work that ends itself, as LLVM does by an assertion or a fatal error.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

#include "codegen/halide/product/crash_recovery.h"
#include "tests/unit/entry/kernels.h"

namespace {

void (*fatal_error_handler)(const char*) = nullptr;

}  // namespace

// As a Halide that is linked statically has it.
extern "C" void LLVMInstallFatalErrorHandler(void (*handler)(const char*)) {
  fatal_error_handler = handler;
}

namespace strata::test::crash_recovery_test {

namespace {

using halide::find_crash;

// The status with which a child process ends that does this.
template <typename Act>
int status_of_child(Act act) {
  const pid_t child = fork();
  if (child == 0) {
    act();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

void compile_and_run() {
  const Expr i = v("i");
  const JitKernel k(kernel("twice", {}, {argument("out", i32, Access::written, {n(8)})},
                           loop("i", n(0), n(8), store("out", {i}, cast(i32, 2 * i)))));
  Array<std::int32_t> out({8});
  REQUIRE(k.call({}, {out}) == 0);
  for (std::int64_t x = 0; x < 8; ++x) CHECK(out(x) == 2 * x);
}

}  // namespace

TEST_CASE("work is done, and what it throws is thrown", "[halide][crash]") {
  bool done = false;
  CHECK_FALSE(find_crash([&] { done = true; }).has_value());
  CHECK(done);
  CHECK_THROWS_AS(find_crash([] { throw std::out_of_range("thrown"); }), std::out_of_range);
}

TEST_CASE("after an abort the process goes on, and compiles", "[halide][crash]") {
  for (int n = 0; n < 3; ++n) {
    CHECK(find_crash([] { std::abort(); }) == "");
    compile_and_run();
  }
}

TEST_CASE("the text of a fatal error of LLVM", "[halide][crash]") {
  CHECK(find_crash([] { fatal_error_handler("unsupported"); }) == "unsupported");
  CHECK(find_crash([] { fatal_error_handler(std::string(1000, 'x').c_str()); })->size() == 399);
  compile_and_run();
}

TEST_CASE("an abort in one thread leaves the work of another alone", "[halide][crash]") {
  std::promise<void> begun, ended;
  auto other = std::async(std::launch::async, [&] {
    return find_crash([&] {
      begun.set_value();
      ended.get_future().wait();
    });
  });
  begun.get_future().wait();
  CHECK(find_crash([] { std::abort(); }).has_value());
  ended.set_value();
  CHECK_FALSE(other.get().has_value());
}

TEST_CASE("an abort outside of such work ends the process", "[halide][crash]") {
  const int plain = status_of_child([] {
    signal(SIGABRT, SIG_DFL);
    CHECK(find_crash([] { std::abort(); }).has_value());
    std::abort();
  });
  CHECK(WIFSIGNALED(plain));
  CHECK(WTERMSIG(plain) == SIGABRT);
  // While work runs in another thread.
  const int beside = status_of_child([] {
    signal(SIGABRT, SIG_DFL);
    std::promise<void> begun;
    std::thread([&] {
      find_crash([&] {
        begun.set_value();
        while (true) pause();
      });
    }).detach();
    begun.get_future().wait();
    std::abort();
  });
  CHECK(WIFSIGNALED(beside));
  CHECK(WTERMSIG(beside) == SIGABRT);
}

TEST_CASE("the program's own handler of SIGABRT is called", "[halide][crash]") {
  const int status = status_of_child([] {
    signal(SIGABRT, [](int) { _exit(42); });
    CHECK(find_crash([] { std::abort(); }).has_value());
    std::abort();
  });
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 42);
}

}  // namespace strata::test::crash_recovery_test
