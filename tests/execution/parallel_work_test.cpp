// Loops of little work: what kernels tell the runtime about their parallel loops, and that results
// and failures are the same with threads and without.
#include <strata/buffer.h>
#include <strata/strata.h>

#include <catch2/catch.hpp>

#include "driver/back_end.h"
#include "tests/execution/workshop.h"

extern "C" {
#include "runtime/threads.h"
}

namespace strata::test::parallel_work_test {

namespace {

// Runs the kernel's loops itself, and checks the work of each: "rows" has one loop of N rows of M
// elements; "triangle" has rows of 2 i + 1 elements; "steps" has a loop of t elements for each step
// t.
const char* const program = R"(
#include <stdlib.h>
#include <strata/runtime.h>
#include "rows.h"
#include "steps.h"
#include "triangle.h"

static double works[100];
static int counts[100], loops;

int strata_run_parallel(int (*run)(void *, int, unsigned char *), int first, int count,
                        unsigned char *closure, double work) {
  counts[loops] = count;
  works[loops++] = work;
  for (int i = first; i < first + count; ++i) run(0, i, closure);
  return 0;
}
int strata_run_ranges(int (*run)(void *, int64_t, int64_t), int64_t first, int64_t end,
                      void *closure, double work) {
  counts[loops] = (int)(end - first);
  works[loops++] = work;
  return run(closure, first, end);
}

/* Of one row; the middle row has n elements if n is odd. */
static double work_of_triangle(int64_t n) {
  float out[32 * 64];
  strata_buffer b;
  strata_dimension e[2];
  const int64_t extents[2] = {n, 2 * n};
  strata_buffer_init(&b, strata_float(32), out, 2, e, extents);
  loops = 0;
  return triangle(n, strata_argument(&b)) == 0 && loops == 1 ? works[0] / n : -1;
}

static double work_of_rows(int64_t n, int64_t m) {
  float *in = (float *)calloc(n * m, 4), *out = (float *)calloc(n * m, 4);
  strata_buffer a, b;
  strata_dimension d[2], e[2];
  const int64_t extents[2] = {n, m};
  strata_buffer_init(&a, strata_float(32), in, 2, d, extents);
  strata_buffer_init(&b, strata_float(32), out, 2, e, extents);
  loops = 0;
  const int code = rows(n, m, strata_argument(&a), strata_argument(&b));
  free(in);
  free(out);
  return code == 0 && loops == 1 && counts[0] == n ? works[0] : -1;
}

static int close(double a, double b) { return a > 0.999 * b && a < 1.001 * b; }

int main(void) {
  const double w = work_of_rows(10, 50), unit = work_of_rows(10, 51) - w;
  if (!(w > 0 && w < 1 && unit > 0)) return 1;
  if (!close(work_of_rows(20, 50), 2 * w)) return 2;
  if (!close(work_of_rows(10, 250) - w, 200 * unit)) return 3;
  if (!(work_of_rows(2000, 2000) > 10)) return 4;

  const double t1 = work_of_triangle(11), t2 = work_of_triangle(21), t3 = work_of_triangle(31);
  if (!(t1 > 0 && t2 > 1.5 * t1 && close(t3 - t2, t2 - t1))) return 7;

  float line[20] = {0};
  strata_buffer a;
  strata_dimension d[1];
  const int64_t extents[1] = {20};
  strata_buffer_init(&a, strata_float(32), line, 1, d, extents);
  loops = 0;
  if (steps(20, strata_argument(&a)) != 0 || loops != 19) return 5;
  for (int t = 1; t < 20; ++t)
    if (counts[t - 1] != t || !close(works[t - 1], t * works[0])) return 6;
  return 0;
}
)";

void compile_rows(const Workshop& workshop, const CodegenOptions& options) {
  Function f("rows");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input in = f.input("in", f32, {N, M});
  Computation out = f.computation("out", {i, j}, in(i, j) * 2.0f);
  out.parallelize(i);
  f.codegen({in.buffer(), out.buffer()}, workshop.file("rows.o"), options);
}

void compile_steps(const Workshop& workshop, const CodegenOptions& options) {
  Function f("steps");
  Param N = f.param("N");
  Var t("t", 1, N), i("i", 0, N), below("i", 0, t);
  Computation x = f.computation("x", {i}, cast(f32, i));
  x.update({t, below}, {below}, x(below) + 1.0f).parallelize(below);
  f.codegen({x.buffer()}, workshop.file("steps.o"), options);
}

void compile_triangle(const Workshop& workshop, const CodegenOptions& options) {
  Function f("triangle");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, 2 * i + 1);
  Computation out = f.computation("out", {i, j}, cast(f32, i * j));
  out.parallelize(i);
  f.codegen({out.buffer()}, workshop.file("triangle.o"), options);
}

struct Gather {
  Function f{"gather"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N};
  Input at = f.input("at", i64, {N}), table = f.input("table", i32, {M});
  Computation out = f.computation("out", {i}, table(at(i)) + 1);

  Gather() { out.parallelize(i); }
  JitFunction made(const CodegenOptions& options) {
    return f.jit({at.buffer(), table.buffer(), out.buffer()}, options);
  }
};

std::vector<CodegenOptions> all_back_ends() {
  std::vector<CodegenOptions> all;
  for (const BackEnd& back_end : back_ends()) {
    all.emplace_back();
    all.back().backend = back_end.name;
  }
  return all;
}

void check_gather(const JitFunction& kernel, std::int64_t n) {
  Array<std::int64_t> at({n});
  Array<std::int32_t> table({5}), out({n});
  for (std::int64_t x = 0; x < 5; ++x) table(x) = std::int32_t(10 * x);
  for (std::int64_t x = 0; x < n; ++x) at(x) = x % 5;
  REQUIRE(kernel({n, 5}, {at, table, out}) == 0);
  for (std::int64_t x = 0; x < n; ++x) REQUIRE(out(x) == 10 * (x % 5) + 1);
  at(n / 2) = 5;
  CHECK(kernel({n, 5}, {at, table, out}) == strata_error_index_out_of_range);
  CHECK(std::string(strata_last_error()).find("index 0 of table was 5") != std::string::npos);
}

}  // namespace

TEST_CASE("kernels tell the runtime how much work their parallel loops have", "[threads][c]") {
  for (const CodegenOptions& options : all_back_ends()) {
    CAPTURE(options.backend);
    const Workshop workshop;
    compile_rows(workshop, options);
    compile_steps(workshop, options);
    compile_triangle(workshop, options);
    workshop.write("main.c", program);
    REQUIRE(workshop.c("undefined", "main.c rows.o steps.o triangle.o" + libraries + "-o main"));
    CHECK(workshop.run() == 0);
  }
}

TEST_CASE("results and failures are the same with threads and without", "[threads][c]") {
  for (const CodegenOptions& options : all_back_ends()) {
    Gather g;
    const JitFunction kernel = g.made(options);
    for (const std::int64_t n : {7, 100000})
      for (const int all : {0, 1}) {
        CAPTURE(options.backend, n, all);
        strata_use_threads_for_all_loops(all);
        check_gather(kernel, n);
        strata_use_threads_for_all_loops(0);
      }
  }
}

}  // namespace strata::test::parallel_work_test
