// Kernels and arrays used by several host threads at the same time, under the thread sanitizer,
// with an instrumented runtime.
#include <strata/strata.h>
#include <catch2/catch.hpp>

#include "tests/execution/workshop.h"

namespace strata::test::thread_sanitizer_test {

namespace {

// Two threads call their own kernels on the same constant arrays: first with indices in bounds,
// then with one out of bounds, which both kernels find before either of them goes on.
const char* const program = R"(
#include <strata/buffer.h>
#include <atomic>
#include <cstring>
#include <thread>
#include "left.h"
#include "right.h"

/* What the thread sanitizer of older compilers does not have. */
extern "C" void *__tsan_memset(void *p, int c, size_t n) { return memset(p, c, n); }
extern "C" void *__tsan_memcpy(void *p, const void *q, size_t n) { return memcpy(p, q, n); }

extern "C" void strata_use_threads_for_all_loops(int all);

using Numbers = strata::Array<int32_t>;
using Kernel = int (*)(halide_buffer_t *, halide_buffer_t *, halide_buffer_t *);

static std::atomic<int> failures;
static void meet(int, const char *) {
  const int number = failures++;
  while (failures <= (number | 1)) std::this_thread::yield();
}

static int called(Kernel kernel, const char *name, const Numbers &in, const Numbers &at, int code) {
  Numbers out({2});
  int wrong = 0;
  for (int time = 0; time < 100; ++time) {
    wrong += kernel(in, at, out) != code;
    if (code) wrong += std::strncmp(strata_last_error(), name, std::strlen(name)) != 0;
    else for (int i = 0; i < 2; ++i) wrong += out(i) != in(at(i));
  }
  return wrong;
}

static int at_once(Numbers &in, const Numbers &at, int code) {
  int wrong[2];
  const Numbers &constant = in;
  std::thread l([&] { wrong[0] = called(left, "left: ", constant, at, code); });
  std::thread r([&] { wrong[1] = called(right, "right: ", constant, at, code); });
  if (ASSIGNS) in = Numbers({2}, 3);
  l.join();
  r.join();
  return wrong[0] + wrong[1];
}

int main() {
  Numbers in({2}, 5), at({2});
  strata_set_number_of_threads(4);
  strata_use_threads_for_all_loops(1);
  if (at_once(in, at, 0)) return 1;
  at(0) = 1000;
  strata_set_error_handler(meet);
  return at_once(in, at, strata_error_index_out_of_range) ? 2 : 0;
}
)";

// out(i) = in(at(i)), with i in parallel.
void compile(const Workshop& workshop, const std::string& name) {
  Function f(name);
  Var i("i", 0, 2);
  Input in = f.input("in", i32, {2}), at = f.input("at", i32, {2});
  Computation out = f.computation("out", {i}, in(at(i)));
  out.parallelize(i);
  CodegenOptions options;
  options.target = "host-tsan";
  f.codegen({in.buffer(), at.buffer(), out.buffer()}, workshop.file(name + ".o"), options);
}

int status(const Workshop& workshop, bool assigns) {
  workshop.write("main.cpp", program);
  REQUIRE(workshop.cpp(
      "thread", "-DASSIGNS=" + std::to_string(assigns) + " main.cpp *.o" + libraries + "-o main"));
  return workshop.run();
}

}  // namespace

TEST_CASE("threads share arrays and fail with messages of their own", "[execution][halide]") {
  const Workshop workshop;
  if (!workshop.has("thread")) {
    WARN("no program can be built with -fsanitize=thread");
    return;
  }
  const std::string sources = STRATA_TEST_SOURCES;
  REQUIRE(workshop.c("thread", "-I" + sources + " -c " + sources + "/runtime/*.c"));
  compile(workshop, "left");
  compile(workshop, "right");
  CHECK(status(workshop, false) == 0);
  CHECK(status(workshop, true) == 66);  // the sanitizer detects a race in the test itself
}

}  // namespace strata::test::thread_sanitizer_test
