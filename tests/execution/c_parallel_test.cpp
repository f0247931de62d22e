// Parallel loops through C: the threads of the runtime run them, and OpenMP those of the text.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/execution/harness.h"

extern "C" {
#include "runtime/threads.h"
}

namespace strata::test::c_parallel_test {

namespace {

struct Squares {
  Function f{"squares"};
  Param N = f.param("N");
  Var i{"i", 0, N};
  Computation out = f.computation("out", {i}, i* i);

  Squares() { out.parallelize(i); }
  JitFunction made() { return f.jit({out.buffer()}, codegen_in_c()); }
};

bool computes_squares(const JitFunction& kernel) {
  constexpr std::int64_t n = 100000;
  Array<std::int64_t> out({n});
  if (kernel({n}, {out}) != 0) return false;
  for (std::int64_t x = 0; x < n; ++x)
    if (out(x) != x * x) return false;
  return true;
}

// Every loop has as many threads as are set.
struct Threads {
  explicit Threads(int number) : before(strata_set_number_of_threads(number)) {
    strata_use_threads_for_all_loops(1);
  }
  ~Threads() {
    strata_use_threads_for_all_loops(0);
    strata_set_pool(nullptr, nullptr);
    strata_set_number_of_threads(before);
  }
  const int before;
};

// A pool that counts the tasks of each loop.
void run_and_count(void* pool, strata_task task, void* data, int count) {
  static_cast<std::vector<int>*>(pool)->push_back(count);
  for (int n = 0; n < count; ++n) task(data, n);
}

}  // namespace

TEST_CASE("a child process runs parallel loops of C, too", "[c][threads]") {
  const Threads threads(3);
  Squares squares;
  const JitFunction kernel = squares.made();
  REQUIRE(computes_squares(kernel));
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // ends a child that waits for threads that it does not have
    _exit(computes_squares(kernel) ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(computes_squares(kernel));
}

TEST_CASE("parallel loops of C use the threads that are set, or the host's", "[c][threads]") {
  Squares squares;
  const JitFunction kernel = squares.made();
  for (const int number : {1, 2, 5}) {
    const Threads threads(number);
    std::vector<int> loops;
    strata_set_pool(run_and_count, &loops);
    CHECK(computes_squares(kernel));
    CHECK(loops == (number == 1 ? std::vector<int>{} : std::vector<int>{number}));
  }
}

TEST_CASE("the largest index out of range of a parallel loop of C is told", "[c][threads]") {
  const Threads threads(4);
  Function f("gather");
  const Param N = f.param("N"), M = f.param("M");
  const Var i("i", 0, N);
  const Input at = f.input("at", i64, {N}), table = f.input("table", i32, {M});
  Computation out = f.computation("out", {i}, table(at(i)));
  out.parallelize(i);
  const JitFunction kernel = f.jit({at.buffer(), table.buffer(), out.buffer()}, codegen_in_c());
  Array<std::int64_t> places({1000});
  Array<std::int32_t> values({2}), found({1000});
  for (std::int64_t x = 0; x < 1000; ++x) places(x) = x * 37 % 1000;
  CHECK(kernel({1000, 2}, {places, values, found}) == strata_error_index_out_of_range);
  CHECK(std::string(strata_last_error()).find("index 0 of table was 999") != std::string::npos);
}

// The ranges take arrays of the stack and of the heap, numbers, and iterators of loops around them.
TEST_CASE("parallel loops of C use what is defined around them", "[c][threads]") {
  const Threads threads(3);
  Function f("around");
  const Param N = f.param("N"), M = f.param("M");
  f.assume(M >= 1);
  const Var t("t", 0, 3), i("i", 0, N), j("j", 0, M), k("k", 0, 8), first("first", 0, N);
  const Expr factor = f.scalar("factor", f16), members = f.scalar("members", i8);
  const Input in = f.input("in", f32, {N, M});
  Computation heap = f.computation("heap", {t, i}, in(i, 0) + cast(f32, t));
  Computation stack = f.computation("stack", {t, k}, cast(f32, k * t) * cast(f32, factor));
  Computation out = f.computation(
      "out", {t, i, j}, heap(t, i) * in(i, j) + stack(t, (i + j) % 8) + cast(f32, members));
  heap.compute_at(out, t);
  stack.compute_at(out, t);
  out.parallelize(i);
  Computation loop = f.computation("loop", {first}, out(2, first, 0) + 1.0f);
  loop.parallelize(first);
  Options options;
  options.backend = "c";
  options.floats = Floats::exact;
  Judged judged(f, {in.buffer(), out.buffer(), loop.buffer()}, options);
  judged.check({5, 19});
  judged.check({64, 1});
  judged.check({0, 3});
}

TEST_CASE("the text of C has OpenMP's loops", "[c]") {
  Squares squares;
  const std::string text = squares.f.to_c({squares.out.buffer()});
  CHECK(text.find("#pragma omp parallel for schedule(static)\n"
                  "  for (int64_t i = 0; i < N; ++i) {\n") != std::string::npos);
  CHECK(text.find("strata_run_ranges") == std::string::npos);
}

}  // namespace strata::test::c_parallel_test
