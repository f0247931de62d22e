// Emitted code with Halide's own sanitizer targets, in C programs built with the same sanitizer,
// which must find a planted fault of each kind.
#include <strata/strata.h>
#include <catch2/catch.hpp>

#include "tests/execution/workshop.h"

namespace strata::test::sanitizers_test {

namespace {

// in and out are N x 64; the program declares "rows" rows.
const char* const program = R"(
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strata/runtime.h>
#include "k.h"

/* What the thread sanitizer of older compilers does not have. */
void *__tsan_memset(void *p, int c, size_t n) { return memset(p, c, n); }
void *__tsan_memcpy(void *p, const void *q, size_t n) { return memcpy(p, q, n); }

/* The pool of the runtime is not instrumented: threads that are take its place. */
typedef int (*iteration)(void *, int, unsigned char *);
struct task { iteration run; int first, end; unsigned char *closure; };
static void *run(void *p) {
  struct task *t = (struct task *)p;
  for (int i = t->first; i < t->end; i += 4) t->run(NULL, i, t->closure);
  return NULL;
}
int strata_run_parallel(iteration f, int first, int count, unsigned char *closure,
                        double work) {
  (void)work;
  pthread_t threads[4];
  struct task tasks[4];
  for (int n = 0; n < 4; ++n) {
    tasks[n].run = f; tasks[n].closure = closure;
    tasks[n].first = first + n; tasks[n].end = first + count;
    pthread_create(&threads[n], NULL, run, &tasks[n]);
  }
  for (int n = 0; n < 4; ++n) pthread_join(threads[n], NULL);
  return 0;
}

int main(void) {
  int32_t *in = (int32_t *)calloc(3000 * 64, 4), *out = (int32_t *)calloc(3000 * 64, 4);
  strata_buffer a, b;
  strata_dimension d[2], e[2];
  const int64_t extents[2] = {ROWS, 64};
  strata_buffer_init(&a, strata_int(32), in, 2, d, extents);
  strata_buffer_init(&b, strata_int(32), out, 2, e, extents);
  const int code = k(ROWS, strata_argument(&a), strata_argument(&b));
  free(in);
  free(out);
  return code != 0;
}
)";

// The exit status of the program linked with the object in the workshop.
int status(const Workshop& workshop, const std::string& sanitizer, int rows) {
  workshop.write("main.c", program);
  REQUIRE(workshop.c(sanitizer,
                     "-DROWS=" + std::to_string(rows) + " main.c k.o" + libraries + "-o main"));
  return workshop.run();
}

// A chain of stencils, recomputed in parallel rows; with "race", it has a race.
void compile(const Workshop& workshop, const std::string& sanitizer, bool race) {
  Function f("k");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, 64);
  Input in = f.input("in", i32, {N, 64});
  Computation a = f.computation("a", {i, j}, in(i, j) * 2);
  Computation b = f.computation("b", {i, j}, a(i, j) + select(i > 0, a(i - 1, j), 0));
  if (race) {
    a.unchecked().store_in({0 * i, j});
    b.unchecked().after(a, i);
    b.unchecked().parallelize(i);
  } else {
    a.compute_at(b, i);
    b.vectorize(j, 8).parallelize(i);
  }
  CodegenOptions options;
  options.target = "host-" + sanitizer;
  f.codegen({in.buffer(), b.buffer()}, workshop.file("k.o"), options);
}

}  // namespace

TEST_CASE("parallel kernels under the thread sanitizer", "[execution][halide]") {
  const Workshop workshop;
  if (!workshop.has("thread")) {
    WARN("no program can be built with -fsanitize=thread");
    return;
  }
  compile(workshop, "tsan", false);
  CHECK(status(workshop, "thread", 3000) == 0);
  compile(workshop, "tsan", true);
  CHECK(status(workshop, "thread", 3000) == 66);
}

TEST_CASE("kernels under the address sanitizer", "[execution][halide]") {
  const Workshop workshop;
  if (!workshop.has("address")) {
    WARN("no program can be built with -fsanitize=address");
    return;
  }
  compile(workshop, "asan", false);
  CHECK(status(workshop, "address", 3000) == 0);
  CHECK(status(workshop, "address", 3001) != 0);
}

}  // namespace strata::test::sanitizers_test
