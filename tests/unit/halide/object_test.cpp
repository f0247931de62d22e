// Objects and headers: reproducible bytes, linking with C and C++ programs, targets, refusals.
#include <catch2/catch.hpp>

#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "codegen/entry/c_header.h"
#include "codegen/halide/product/compile.h"
#include "core/error.h"
#include "tests/folder.h"
#include "tests/unit/entry/kernels.h"

namespace strata::test::object_test {

namespace fs = std::filesystem;

namespace {

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  REQUIRE(in);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Parallel, vector and unrolled loops, a temporary, conditions and many expressions.
Kernel busy(const std::string& name) {
  const Expr N = p("N"), i = v("i"), t = v("t"), j = v("j"), u = v("u");
  const Expr a = load("x", f32, {i, j}), b = load("x", f32, {i, j + n(1)});
  const Expr value = sqrt(abs(a * b + a / 3.0f)) + select(a < b, a - b, b * 0.5f);
  const StmtPtr fill = loop("t", n(0), N / n(8),
                            steps("j", t * n(8), 8, store("row", {j}, value), Processor::vector));
  const StmtPtr take = loop(
      "s", n(0), N / n(4),
      steps("u", v("s") * n(4), 4,
            make_stmt(If{u > n(2),
                         store("y", {i, u}, load("row", f32, {u}) - load("row", f32, {u - n(3)})),
                         store("y", {i, u}, constant(f32, 0))}),
            Processor::unrolled));
  const StmtPtr body = make_stmt(Allocate{"row", f32, {n(0)}, {N}, block({fill, take})});
  Kernel k = kernel(name, {"N"},
                    {argument("x", f32, Access::read, {N, N + n(1)}),
                     argument("y", f32, Access::written, {N, N})},
                    loop("i", n(0), N, body, Processor::parallel), Floats::fast);
  k.assumptions = {{N % n(8) == n(0), "N % 8 == 0"}};
  return k;
}

Kernel shift_left(const std::string& name) {
  const Expr N = p("N"), i = v("i");
  return kernel(name, {"N", "by"},
                {argument("x", u8, Access::read, {N}), argument("y", u8, Access::written, {N})},
                loop("i", n(0), N, store("y", {i}, load("x", u8, {i}) << cast(u8, p("by")))));
}

Kernel grow(const std::string& name) {
  const Expr N = p("N"), i = v("i"), t = v("t");
  const StmtPtr body =
      steps("i", t * n(8), 8, store("y", {i}, exp(load("x", f32, {i}))), Processor::vector);
  return kernel(name, {"N"},
                {argument("x", f32, Access::read, {N}), argument("y", f32, Access::written, {N})},
                loop("t", n(0), N / n(8), body), Floats::fast);
}

int run(const std::string& command) { return std::system((command + " >&2").c_str()); }

// The library that this test itself links.
std::string runtime_library() { return STRATA_TEST_RUNTIME; }
std::string include_folder() { return STRATA_TEST_INCLUDE; }

Code code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  return Code{};
}

}  // namespace

namespace {

// A parallel loop that captures many values introduced by Halide, and loops whose lower bounds
// Halide must rename when it unrolls the loop around them.
Kernel captures(const std::string& name) {
  const Expr N = p("N"), i = v("i"), j = v("j"), u = v("u"), q = v("q");
  std::vector<StmtPtr> rows;
  for (int r = 0; r < 12; ++r)
    rows.push_back(
        store("z", {i * n(r + 2) + n(r), i + n(3 * r), j}, load("z", i32, {i, n(r), j})));
  const StmtPtr inner = loop("q", max(u * n(3), i), N,
                             store("z", {q, i, j}, load("z", i32, {q, u, j}) + cast(i32, q)));
  rows.push_back(loop("u", n(0), n(6), inner, Processor::unrolled));
  return kernel(name, {"N"},
                {argument("z", i32, Access::read_and_written, {N * n(14), N + n(40), N})},
                loop("i", n(0), N, loop("j", n(0), N, block(rows), Processor::parallel)));
}

}  // namespace

TEST_CASE("the same kernels give the same bytes, whatever was compiled before", "[halide]") {
  const Folder folder;
  const auto object = [&](const std::string& file) {
    compile({busy("busy"), captures("captures")}, "host",
            {folder / file, folder / (file + ".h"), "", ""});
    return contents(folder / file);
  };
  const std::string first = object("a.o");
  for (int other = 0; other < 12; ++other) {
    JitKernel{shift_left("other")};
    CHECK(object("b.o") == first);
  }
  CHECK(contents(folder / "a.o.h") == contents(folder / "b.o.h"));
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  REQUIRE(run("STRATA_OBJECT_OUT=" + folder / "c.o" + " " + self + " '[.object]' > /dev/null") ==
          0);
  CHECK(contents(folder / "c.o") == first);
}

// Runs in the child process of the test above.
TEST_CASE("writes an object", "[.object]") {
  compile({busy("busy"), captures("captures")}, "host",
          {std::getenv("STRATA_OBJECT_OUT"), "", "", ""});
}

TEST_CASE("three kernels of one object in a C program, one with vector math", "[halide]") {
  const Folder folder;
#ifdef __x86_64__
  const bool several = GENERATE(false, true);
#else
  const bool several = false;
#endif
  compile({busy("busy"), shift_left("shift"), grow("grow")},
          several ? "x86-64-v3,x86-64-v4,x86-64" : "host",
          {folder / "two.o", folder / "two.h", folder / "two.s", folder / "two.stmt"});
  const std::string version = several ? ".x86-64-v4" : "";
  const std::string label = several ? "busy.x86-64-v4\":" : "busy:";
  CHECK(contents(folder / ("two" + version + ".s")).find(label) != std::string::npos);
  CHECK(contents(folder / ("two" + version + ".stmt")).find("strata_run_parallel") !=
        std::string::npos);
  std::ofstream(folder / "host.c") << R"(
#include "two.h"
#include <stdio.h>
#include <strata/runtime.h>
#include <string.h>
int main(void) {
  uint8_t in[5] = {1, 2, 3, 4, 200}, out[5] = {0};
  const int64_t extents[1] = {5};
  strata_dimension dim[2];
  strata_buffer x, y;
  strata_buffer_init(&x, strata_uint(8), in, 1, &dim[0], extents);
  strata_buffer_init(&y, strata_uint(8), out, 1, &dim[1], extents);
  if (shift(5, 1, strata_argument(&x), strata_argument(&y)) != 0) return 1;
  if (out[0] != 2 || out[3] != 8 || out[4] != 144) return 2;
  if (shift(6, 1, strata_argument(&x), strata_argument(&y)) != strata_error_out_of_bounds) return 3;
  if (!strstr(strata_last_error(), "shift: buffer x")) return 4;
  if (busy(4, strata_argument(&x), strata_argument(&y)) != strata_error_assumption) return 5;
  if (busy(8, 0, strata_argument(&y)) != strata_error_null_buffer) return 6;
  float from[16], to[16] = {0};
  const int64_t sixteen[1] = {16};
  for (int i = 0; i < 16; ++i) from[i] = (float)(i % 2);
  strata_buffer_init(&x, strata_float(32), from, 1, &dim[0], sixteen);
  strata_buffer_init(&y, strata_float(32), to, 1, &dim[1], sixteen);
  if (grow(16, strata_argument(&x), strata_argument(&y)) != 0) return 8;
  for (int i = 0; i < 16; ++i)
    if (to[i] < (i % 2 ? 2.71828f : 1) || to[i] > (i % 2 ? 2.71829f : 1)) return 9;
  strata_set_number_of_threads(2);
  if (strcmp(strata_version(), ")" STRATA_TEST_VERSION R"(") != 0) return 7;
  return 0;
}
)";
  const std::string flags = " " STRATA_TEST_FLAGS " -Wall -Wextra -Werror -I" + include_folder() +
                            " -I" + folder.path.string();
  CHECK(run("cc -std=c99" + flags + " " + folder / "host.c" + " " + folder / "two.o" + " " +
            runtime_library() + " -lpthread -ldl -lm -o " + folder / "host") == 0);
  CHECK(run(folder / "host") == 0);
}

TEST_CASE("a C++ program that also knows Halide's own header", "[halide]") {
  const Folder folder;
  compile({busy("busy")}, "host", {folder / "busy.o", folder / "busy.h", "", ""});
  for (const bool strata_first : {true, false}) {
    std::ofstream(folder / "host.cpp")
        << (strata_first ? "#include <strata/buffer.h>\n#include <HalideBuffer.h>\n"
                         : "#include <HalideBuffer.h>\n#include <strata/buffer.h>\n")
        << R"(
#include "busy.h"
#include "busy.h"
#include <cmath>
int main() {
  strata::Array<float> x({32, 33}), y({32, 32});
  for (auto& e : x) e = float((&e - x.data()) % 13);
  if (busy(32, x, y) != 0) return 1;
  Halide::Runtime::Buffer<float> bx(33, 32), by(32, 32);
  bx.for_each_element([&](int j, int i) { bx(j, i) = x(i, j); });
  if (busy(32, bx, by) != 0) return 2;
  const auto row = [&](int i, int j) {
    const float a = x(i, j), b = x(i, j + 1);
    return std::sqrt(std::fabs(std::fma(a, b, a / 3.0f))) + (a < b ? a - b : b * 0.5f);
  };
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j) {
      const float wanted = j > 2 ? row(i, j) - row(i, j - 3) : 0;
      if (std::fabs(y(i, j) - wanted) > 1e-5f || by(j, i) != y(i, j)) return 3;
    }
  return 0;
}
)";
    const std::string flags = " " STRATA_TEST_FLAGS " -Wall -Wextra -Werror -ffp-contract=off -I" +
                              include_folder() + " -isystem " + STRATA_TEST_HALIDE_INCLUDE + " -I" +
                              folder.path.string();
    CHECK(run("c++ -std=c++20" + flags + " " + folder / "host.cpp" + " " + folder / "busy.o" + " " +
              runtime_library() + " -lpthread -ldl -lm -o " + folder / "host") == 0);
    CHECK(run(folder / "host") == 0);
  }
}

TEST_CASE("the header tells what the kernel takes", "[halide]") {
  CHECK(c_header({shift_left("shift")}) ==
        R"(/* Made by Strata.  Link the object beside it with strata_runtime.
 * Ranges are in the order of the program's indices; dimension 0 of a buffer is the last. */
#ifndef STRATA_shift_H
#define STRATA_shift_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct halide_buffer_t;

/* shift
 *   N: int64
 *   by: int64
 *   x: uint8, read, [0, N)
 *   y: uint8, written, [0, N)
 * Returns 0, or a negative code of strata/runtime.h. */
int shift(int64_t N, int64_t by, struct halide_buffer_t *x, struct halide_buffer_t *y);

#ifdef __cplusplus
}
#endif

#endif
)");
}

TEST_CASE("the header says how many cuts a partition has", "[halide][ranks]") {
  Kernel kernel = shift_left("shift");
  kernel.partitions.push_back({"rows", parameter("N"), "rows.first", "rows.last"});
  const std::string header = c_header({kernel});
  CHECK(
      header.find(
          " *   rows: the cuts 0 = c[0] <= c[1] <= .. <= c[ranks] = N, one number more than there "
          "are ranks; or null: even blocks.\n *     A rank has [rows.first, rows.last)\n") !=
      std::string::npos);
  CHECK(
      header.find("int shift(struct strata_team *team, int64_t N, int64_t by, const int64_t *rows, "
                  "struct halide_buffer_t *x") != std::string::npos);
}

TEST_CASE("targets are named or refused", "[halide]") {
  const Folder folder;
  const auto with = [&](const std::string& target) {
    compile({shift_left("shift")}, target, {folder / "t.o", "", "", ""});
  };
  for (const char* target :
       {"host", "x86-64-linux", "x86-64-linux-sse41", "arm-64-linux",
        "x86-64-linux-sse41-avx-avx2-f16c-fma", "x86-64-osx", "host-opencl", "znver3-cuda"})
    CHECK_NOTHROW(with(target));
  for (const char* target : {"", "hosts", "x86-63-linux", "host-metal", "x86-64-linux-avx17"})
    CHECK(code_of([&] { with(target); }) == Code::E0501_unknown_target);
  try {
    with("z80");
  } catch (const Error& error) {
    CHECK(error.refusal().explanation == "'z80' is not a target");
    CHECK(error.refusal().mend.find("x86-64-linux-sse41-avx-avx2-f16c-fma") != std::string::npos);
  }
}

TEST_CASE("what cannot be written or made is refused", "[halide]") {
  const auto to = [](const Outputs& outputs) { compile({shift_left("shift")}, "host", outputs); };
  CHECK(code_of([&] { to({"/no/such/folder/a.o", "", "", ""}); }) == Code::E0503_cannot_write_file);
  CHECK(code_of([&] { to({"", "/no/such/folder/a.h", "", ""}); }) == Code::E0503_cannot_write_file);
  const auto made = [](const Kernel& k) { JitKernel{k}; };
  Kernel k = shift_left("shift");
  k.body = store("y", {v("nowhere")}, constant(u8, 0));
  CHECK(code_of([&] { made(k); }) == Code::E0502_code_generation_failed);
  k.body = store("unknown", {n(0)}, constant(u8, 0));
  CHECK(code_of([&] { made(k); }) == Code::E0502_code_generation_failed);
  k.body = store("y", {n(0)}, constant(f32, 0));
  CHECK(code_of([&] { made(k); }) == Code::E0502_code_generation_failed);
  k.body = store("y", {n(0)}, call(u8, "strata_test_no_such_function", {}));
  CHECK(code_of([&] { made(k); }) == Code::E0502_code_generation_failed);
}

TEST_CASE("names that a C header cannot have are refused", "[halide]") {
  const auto code = [](const std::vector<Kernel>& kernels) {
    return code_of([&] { compile(kernels, "host", {"", "", "", ""}); });
  };
  CHECK(code({shift_left("same"), shift_left("same")}) == Code::E0105_bad_name);
  for (const char* name : {"", "not a name", "1st", "while", "a.b"})
    CHECK(code({shift_left(name)}) == Code::E0105_bad_name);
  Kernel k = shift_left("shift");
  k.buffers[1].name = "x";
  CHECK(code({k}) == Code::E0105_bad_name);
  k = shift_left("shift");
  k.parameters[1] = "int";
  CHECK(code({k}) == Code::E0105_bad_name);
  k = shift_left("shift");
  k.may_overlap = {{"x", "z"}};
  CHECK(code({k}) == Code::E0502_code_generation_failed);
}

extern "C" double strata_test_weigh(std::int8_t a, bool b, float c);
extern "C" double strata_test_weigh(std::int8_t a, bool b, float c) {
  return a + (b ? 100 : 0) + c;
}

// Options for a kernel that calls this function.
CodegenOptions calling(const std::string& name, void* function) {
  CodegenOptions options;
  options.functions[name] = function;
  return options;
}

TEST_CASE("kernels call C functions of every argument type", "[halide]") {
  const Expr N = p("N"), i = v("i"), x = load("x", i8, {i});
  const StmtPtr body =
      loop("t", n(0), N / n(4),
           steps("i", v("t") * n(4), 4,
                 store("y", {i}, call(f64, "strata_test_weigh", {x, x > 0, cast(f32, x) / 2.0f})),
                 Processor::vector));
  const JitKernel k(
      kernel("calls", {"N"},
             {argument("x", i8, Access::read, {N}), argument("y", f64, Access::written, {N})},
             body),
      calling("strata_test_weigh", reinterpret_cast<void*>(&strata_test_weigh)));
  Array<std::int8_t> in({256});
  Array<double> out({256});
  for (int j = 0; j < 256; ++j) in(j) = static_cast<std::int8_t>(j);
  REQUIRE(k.call({256}, {in, out}) == 0);
  for (int j = 0; j < 256; ++j)
    REQUIRE(out(j) == strata_test_weigh(in(j), in(j) > 0, in(j) / 2.0f));
}

namespace {

std::mutex seen_mutex;
std::condition_variable another_seen;
std::set<std::thread::id> seen;
std::size_t awaited = 1;

}  // namespace

extern "C" double strata_test_see(std::int64_t i);
// No iteration ends before as many threads as awaited have one.
extern "C" double strata_test_see(std::int64_t i) {
  std::unique_lock<std::mutex> lock(seen_mutex);
  seen.insert(std::this_thread::get_id());
  another_seen.notify_all();
  another_seen.wait(lock, [] { return seen.size() >= awaited; });
  return double(i);
}

TEST_CASE("parallel loops run on as many threads as the host says, up and down", "[halide]") {
  const Expr N = p("N"), i = v("i");
  const StmtPtr body =
      loop("i", n(0), N, store("y", {i}, call(f64, "strata_test_see", {i})), Processor::parallel);
  const JitKernel k(kernel("seen", {"N"}, {argument("y", f64, Access::written, {N})}, body),
                    calling("strata_test_see", reinterpret_cast<void*>(&strata_test_see)));
  const auto threads_at = [&](int number, std::int64_t count, std::size_t least = 1) {
    awaited = least;
    strata_set_number_of_threads(number);
    CHECK(strata_number_of_threads() == number);
    Array<double> y({count}, -1.0);
    seen.clear();
    REQUIRE(k.call({count}, {y}) == 0);
    for (std::int64_t j = 0; j < count; ++j) REQUIRE(y(j) == double(j));
    return seen;
  };
  const std::set<std::thread::id> here{std::this_thread::get_id()};
  const int before = strata_set_number_of_threads(0);
  CHECK(threads_at(1, 50) == here);
  CHECK(threads_at(4, 200, 2).size() <= 4);
  CHECK(threads_at(2, 200, 2).size() == 2);
  CHECK(threads_at(1, 50) == here);
  CHECK(threads_at(4, 1) == here);
  CHECK(threads_at(4, 0).empty());
  strata_set_number_of_threads(before);
}

TEST_CASE("kernels are compiled and called by several threads at once", "[halide]") {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, -1);
  for (int id = 0; id < 4; ++id)
    threads.emplace_back([&wrong, id] {
      const JitKernel k(shift_left("shift"));
      Array<std::uint8_t> x({100}, 3), y({100});
      int bad = k.call({100, id}, {x, y});
      for (const std::uint8_t e : y) bad += e != (3 << id);
      wrong[id] = bad;
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == std::vector<int>{0, 0, 0, 0});
}

}  // namespace strata::test::object_test
