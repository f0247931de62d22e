// The C back end: its text, its objects, what it refuses.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/strata.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "codegen/c/compile.h"
#include "codegen/c/source.h"
#include "driver/back_end.h"
#include "tests/execution/harness.h"
#include "tests/execution/refused.h"
#include "tests/folder.h"

namespace strata::test::c_back_end_test {

namespace {

Options in_c(Floats floats = Floats::exact, double bound = 0) {
  Options options;
  options.backend = "c";
  options.floats = floats;
  options.bound = bound;
  return options;
}

struct Blur {
  Function f{"blur"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N}, k{"k", 0, N - 2}, j{"j", 0, M - 2};
  Input in = f.input("in", f32, {N, M});
  Computation bx = f.computation("bx", {i, j}, in(i, j) + in(i, j + 1) + in(i, j + 2));
  Computation by = f.computation("by", {k, j}, (bx(k, j) + bx(k + 1, j) + bx(k + 2, j)) / 9.0f);

  Blur() {
    by.tile(k, j, 8, 16, "k0", "j0", "k1", "j1");
    bx.compute_at(by, "j0");
    bx.vectorize(j, 16);
    by.parallelize("k0").vectorize("j1");
  }
  std::vector<Buffer> arguments() const { return {in.buffer(), by.buffer()}; }
};

// The exit status of a C program with an object and its header, in a folder.
int run(const Folder& folder, const std::string& program, const std::string& flags) {
  std::ofstream(folder / "main.c") << program;
  const std::string command = "cd '" + folder.path.string() + "' && " + STRATA_TEST_CC +
                              " -std=c11 -Wall -Wextra -Wno-unused -Werror -I. -I" +
                              STRATA_TEST_INCLUDE + " main.c " + flags + " " + STRATA_TEST_RUNTIME +
                              " -lpthread -ldl -lm -o main && ./main";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const char* const calls_blur = R"(
#include "blur.h"
#include <math.h>
#include <strata/runtime.h>
float in[37 * 45], by[35 * 43];
int main(void) {
  strata_buffer a, b;
  strata_dimension da[2], db[2];
  const int64_t ea[] = {37, 45}, eb[] = {35, 43};
  for (int n = 0; n < 37 * 45; ++n) in[n] = (float)(n * 31 % 101);
  strata_buffer_init(&a, strata_float(32), in, 2, da, ea);
  strata_buffer_init(&b, strata_float(32), by, 2, db, eb);
  if (blur(38, 45, strata_argument(&a), strata_argument(&b)) != strata_error_out_of_bounds)
    return 1;
  if (blur(37, 45, strata_argument(&a), strata_argument(&b)) != 0) return 2;
  for (int k = 0; k < 35; ++k)
    for (int j = 0; j < 43; ++j) {
      float sum = 0;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) sum += in[(k + r) * 45 + j + c];
      if (fabsf(by[k * 43 + j] - sum / 9.0f) > 1e-4f) return 3;
    }
  return 42;
}
)";

}  // namespace

TEST_CASE("kernels through C compute what the interpreter does", "[c]") {
  Blur blur;
  Judged whole(blur.f, blur.arguments(), in_c(Floats::fast, 1e-5));
  for (const std::int64_t n : {0, 2, 3, 9, 10, 19, 35}) whole.check({n, n + 1});
  Judged exact(blur.f, blur.arguments(), in_c());
  exact.check({19, 37});
}

TEST_CASE("clang compiles the C of kernels, too", "[c]") {
  if (std::system("clang --version >/dev/null 2>&1") != 0) {
    WARN("there is no clang");
    return;
  }
  setenv("STRATA_CC", "clang", 1);
  Blur blur;
  Judged whole(blur.f, blur.arguments(), in_c(Floats::fast, 1e-5));
  unsetenv("STRATA_CC");
  for (const std::int64_t n : {3, 19, 35}) whole.check({n, n + 1});
}

TEST_CASE("extrema in vectors of C choose as the interpreter does", "[c]") {
  Function f("extrema");
  const Param N = f.param("N");
  const Var i("i", 0, N);
  const Input a = f.input("a", f32, {N}), b = f.input("b", f32, {N});
  Computation c = f.computation("c", {i}, min(a(i), b(i)) + max(a(i), 0.5f) * min(-0.0f, b(i)));
  c.vectorize(i, 24);
  Judged(f, {a.buffer(), b.buffer(), c.buffer()}, in_c()).check({100});
}

TEST_CASE("names of an author are not those of C", "[c]") {
  Function f("names");
  const Param N = f.param("N"), M = f.param("M");
  const Var i("in_0", 0, N), j("exp", 0, M), k("in_1", 0, 3);
  const Input in = f.input("in", f32, {N, M});
  Computation t = f.computation("t", {i, j, k}, in(i, j) * cast(f32, k));
  Computation restricted = f.computation("restrict_", {i, j, k}, t(i, j, k) + in(i, j));
  restricted.unroll(k).vectorize(j, 8);
  t.compute_at(restricted, i);
  t.unroll(k).vectorize(j, 8);
  Judged judged(f, {in.buffer(), restricted.buffer()}, in_c());
  judged.check({5, 19});
}

TEST_CASE("names of an author are not those of the text's functions", "[c]") {
  Function f("sums");
  const Param N = f.param("N"), M = f.param("sums_argv");
  const Var i("i", 0, N), j("j", 0, M);
  const Input a = f.input("sums_dense", i64, {N, M}),
              fields = f.input("sums_dense_fields", i64, {N});
  const Input argument = f.input("sums_dense_argument", i64, {N}),
              any = f.input("sums_any", i64, {N});
  Computation s = f.computation("sums_dense_j", {i}, sum(j, a(i, j) + fields(i) * argument(i)));
  Computation t = f.computation("t", {i}, s(i) - any(i));
  const std::vector<Buffer> arguments{a.buffer(),   fields.buffer(), argument.buffer(),
                                      any.buffer(), s.buffer(),      t.buffer()};
  s.parallelize(i);
  Judged(f, arguments, in_c()).check({5, 19});
}

TEST_CASE("functions of the kernels of one text have names of their own", "[c]") {
  std::vector<Kernel> kernels(2);
  for (Kernel& kernel : kernels) {
    const Expr zero = constant(Type::int64, 0), nine = constant(Type::int64, 9);
    kernel.name = &kernel == &kernels[0] ? "a" : "a_dense";
    kernel.buffers = {{"x", Type::int64, Access::written, {zero}, {nine}}};
    kernel.body = make_stmt(Block{});
  }
  const std::string text = c::source(kernels, {});
  CHECK(text.find("int a_dense(struct halide_buffer_t *x_argument)") != std::string::npos);
  CHECK(text.find("static int a_dense(") == std::string::npos);
}

TEST_CASE("integers of every kind through C", "[c]") {
  for (const Type type : {i8, u8, i16, u16, i32, u32, i64, u64}) {
    Function f("numbers");
    const Param N = f.param("N");
    const Var i("i", 0, N);
    const Input a = f.input("a", type, {N}), b = f.input("b", type, {N});
    const Expr x = a(i), y = b(i);
    const Computation c = f.computation("c", {i}, x / y + x % y * (x - y) + (x << y) + (x >> y));
    const Computation d =
        f.computation("d", {i}, min(x, y) + max(x * y, abs(x)) + (-x & ~y) + (x | y) + (x ^ y));
    const Computation e = f.computation("e", {i}, cast(f32, x) * cast(f32, y));
    const Computation g = f.computation("g", {i}, cast(type, e(i)));
    Judged(f, {a.buffer(), b.buffer(), c.buffer(), d.buffer(), e.buffer(), g.buffer()}, in_c())
        .check({257});
  }
}

TEST_CASE("one of two values is made narrower in C", "[c]") {
  Function f("narrow");
  const Param N = f.param("N");
  const Var i("i", 0, N);
  const Input which = f.input("which", i32, {N}), a = f.input("a", u64, {N});
  const Expr most = cast(u64, std::numeric_limits<std::int64_t>::max());
  Computation c = f.computation("c", {i}, cast(i32, select((which(i) & 1) == 1, most, a(i))));
  c.split(i, 4, "q", "v");
  Judged(f, {which.buffer(), a.buffer(), c.buffer()}, in_c()).check({101});
}

// gcc 12 with -fno-trapping-math takes the float of an integer of a float as trunc, whose zero may
// be negative.
TEST_CASE("an integer in C has no negative zero", "[c]") {
  Function f("whole");
  const Param N = f.param("N");
  const Var i("i", 0, N);
  const Input a = f.input("a", f32, {N});
  Computation c = f.computation("c", {i}, cast(f32, cast(i32, a(i))));
  const JitFunction kernel = f.jit({a.buffer(), c.buffer()}, codegen_in_c());
  Array<float> numbers({40}, -0.5f), out({40}, 1.0f);
  REQUIRE(kernel({40}, {numbers, out}) == 0);
  for (int n = 0; n < 40; ++n) CHECK((out(n) == 0 && !std::signbit(out(n))));
}

TEST_CASE("an index of data is checked in C", "[c]") {
  Function f("gather");
  const Param N = f.param("N"), M = f.param("M");
  const Var i("i", 0, N);
  const Input at = f.input("at", i64, {N}), table = f.input("table", i32, {M});
  const Computation s = f.computation("s", {i}, select(at(i) != 7, table(at(i)), -1));
  CodegenOptions options;
  options.backend = "c";
  const JitFunction kernel = f.jit({at.buffer(), table.buffer(), s.buffer()}, options);
  Array<std::int64_t> places({3});
  Array<std::int32_t> values({2}), out({3});
  for (int n = 0; n < 3; ++n) places(n) = n == 0 ? 1 : n == 1 ? 7 : 0;
  for (int n = 0; n < 2; ++n) values(n) = 5 + n;
  REQUIRE(kernel({3, 2}, {places, values, out}) == 0);
  CHECK((out(0) == 6 && out(1) == -1 && out(2) == 5));
  places(2) = 2;
  CHECK(kernel({3, 2}, {places, values, out}) == strata_error_index_out_of_range);
  CHECK(std::string(strata_last_error()).find("gather: index 0 of table was 2") == 0);
  Array<std::int32_t> nothing(std::vector<std::int64_t>{0});
  CHECK(kernel({3, 0}, {places, nothing, out}) == strata_error_index_out_of_range);
}

TEST_CASE("memory that is not there is a failure in C", "[c]") {
  Function f("large");
  const Param N = f.param("N");
  const Var i("i", 0, N), j("j", 0, 100 * N);
  const Computation a = f.computation("a", {i, j}, cast(f64, i + j));
  Computation b = f.computation("b", {i}, a(i, 3 * i) + 1);
  CodegenOptions options;
  options.backend = "c";
  Array<double> out({1 << 22});
  const JitFunction kernel = f.jit({b.buffer()}, options);
  CHECK(kernel({1 << 22}, {out}) == strata_error_out_of_memory);
  CHECK(std::string(strata_last_error()).find("large: out of memory for the temporary buffer a") ==
        0);
}

TEST_CASE("an object and a file of C are linked with a program", "[c]") {
  const Folder folder;
  Blur blur;
  CodegenOptions options;
  options.backend = "c";
  options.assembly = folder / "blur.s";
  blur.f.codegen(blur.arguments(), folder / "blur.o", options);
  CHECK(run(folder, calls_blur, "blur.o") == 42);
  CHECK(std::filesystem::file_size(folder / "blur.s") > 1000);
  std::ofstream(folder / "kernel.c") << blur.f.to_c(blur.arguments());
  CHECK(run(folder, calls_blur, "-fopenmp kernel.c") == 42);
  CHECK(run(folder, calls_blur, "-Wno-unknown-pragmas kernel.c") == 42);
}

TEST_CASE("C reads as its author wrote the program", "[c]") {
  Function f("sums");
  const Param N = f.param("N");
  const Var i("i", 0, N), k("k", 0, N);
  const Input a = f.input("a", i32, {N, N});
  Computation s = f.computation("s", {i}, sum(k, a(i, k)));
  const std::string text = f.to_c({a.buffer(), s.buffer()});
  CHECK(
      text.find(
          R"(static int sums_dense(int64_t N, const int32_t *restrict a, int64_t a_0, int32_t *restrict s) {
  /* Computes s_init, s. */
  for (int64_t i = 0; i < N; ++i) {
    s[i] = 0;
    for (int64_t k = 0; k < N; ++k) {
      s[i] = (int32_t)((uint32_t)s[i] + (uint32_t)a[i * a_0 + k]);
    }
  }
  return 0;
}
)") != std::string::npos);
}

// Copies would take a compiler long.
TEST_CASE("a loop around masked lanes stays a loop in C", "[c]") {
  Function f("twice");
  const Param N = f.param("N"), M = f.param("M");
  const Var i("i", 0, N), j("j", 0, M), i0("i0"), i1("i1"), lane("lane");
  const Input in = f.input("in", f32, {N, M});
  Computation c = f.computation("c", {i, j}, in(i, j) * 2.0f);
  c.split(i, 4, i0, i1).vectorize(j, 8, j, lane).mask(lane).unroll(i1).guard(i1);
  const std::string text = f.to_c({in.buffer(), c.buffer()});
  CHECK(text.find("for (int64_t i1 = 0; i1 < 4; ++i1)") < text.find("twice_any"));
  CHECK(text.find("if (M >= 8 * j + 8)") < text.find("twice_any"));
  Judged judged(f, {in.buffer(), c.buffer()}, in_c());
  for (const std::int64_t columns : {0, 1, 7, 8, 9, 16, 19}) judged.check({6, columns});
}

TEST_CASE("what C does not do is refused", "[c]") {
  CodegenOptions options;
  options.backend = "fortran";
  Blur blur;
  const Refusal unknown = refusal_of([&] { blur.f.jit(blur.arguments(), options); });
  CHECK(unknown.code == Code::E0106_bad_argument);
  CHECK(unknown.explanation == "there is no back end fortran");
  options.backend = "c";
  options.target = "x86-64-v3,x86-64-v4";
  CHECK(refusal_of([&] { blur.f.codegen(blur.arguments(), "blur.o", options); }).code ==
        Code::E0501_unknown_target);
  Function f("squares");
  const Param N = f.param("N");
  const Var i("i", 0, N);
  Computation s = f.computation("s", {i}, i * i);
  s.gpu_tile(i, 32);
  const Refusal launches = refusal_of([&] { f.to_c({s.buffer()}); });
  CHECK(launches.code == Code::E0502_code_generation_failed);
  CHECK(launches.explanation == "the C back end has no launches");
}

TEST_CASE("a C compiler that is not there is an error", "[c]") {
  setenv("STRATA_CC", "no-such-compiler", 1);
  CodegenOptions options;
  options.backend = "c";
  Blur blur;
  const Refusal refused = refusal_of([&] { blur.f.jit(blur.arguments(), options); });
  unsetenv("STRATA_CC");
  CHECK(refused.code == Code::E0502_code_generation_failed);
  CHECK(refused.explanation == "the C compiler no-such-compiler cannot be started");
  CHECK(refused.mend == "install gcc or clang, or name a compiler with STRATA_CC");
}

TEST_CASE("a C compiler that does not end is an error", "[c]") {
  const Folder folder;
  const std::string endless = folder / "endless";
  std::ofstream(endless) << "#!/bin/sh\nwhile :; do :; done\n";
  std::filesystem::permissions(endless, std::filesystem::perms::owner_all);
  setenv("STRATA_CC", endless.c_str(), 1);
  const Refusal refused = refusal_of([&] {
    c::CompilerOptions options;
    options.seconds = 1;
    c::compiled("", options);
  });
  unsetenv("STRATA_CC");
  CHECK(refused.code == Code::E0502_code_generation_failed);
  CHECK(refused.explanation ==
        "the C compiler " + endless + " takes more than 1 s of a processor's time");
}

TEST_CASE("a back end that a build leaves out says how to get it", "[c]") {
  Blur blur;
  const bool has_halide = back_ends().front().name == "halide";
  CHECK(back_ends_left_out().count("halide") == (has_halide ? 0 : 1));
  if (has_halide) return;
  CodegenOptions options;
  options.backend = "halide";
  const Refusal refused = refusal_of([&] { blur.f.jit(blur.arguments(), options); });
  CHECK(refused.code == Code::E0106_bad_argument);
  CHECK(refused.explanation == "this build has no back end halide");
  CHECK(refused.mend == "take \"c\", or build Strata with -DSTRATA_HALIDE=ON");
}

// gcc would evaluate the functions to the nearest number, from which the C library's differs here.
TEST_CASE("functions of constants are the C library's through C", "[c]") {
  Function f("f");
  const Param N = f.param("N");
  const Var i("i", 0, N);
  const Input in = f.input("in", i32, {N});
  const Expr large = select(in(i) == 0, 0.0, 1e18);
  const Computation out = f.computation("out", {i}, sinh(cos(acosh(large))));
  Judged judged(f, {in.buffer(), out.buffer()}, in_c());
  judged.check({40});
}

}  // namespace strata::test::c_back_end_test
