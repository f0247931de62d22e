// Object files and headers, used by a C program like any library.
#include <algorithm>
#include <catch2/catch.hpp>

#include <strata/codegen_each.h>
#include <strata/strata.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace strata::test::object_test {

namespace fs = std::filesystem;

namespace {

// A temporary folder, removed after the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "strata-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const std::string& name) const { return path_ / name; }

  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // Compiles a C program with the objects in the folder, runs it and returns its exit status.
  int run_c(const std::string& program, const std::string& objects) const {
    std::ofstream(path_ / "main.c") << program;
    const std::string cc = std::string("cd '") + path_.string() + "' && " + STRATA_TEST_CC +
                           " -std=c99 -Wall -Wextra -Werror -I. -I" + STRATA_TEST_INCLUDE +
                           " main.c " + objects + " " + STRATA_TEST_RUNTIME +
                           " -lpthread -ldl -lm -o main";
    REQUIRE(std::system(cc.c_str()) == 0);
    const int status = std::system((path_ / "main").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  fs::path path_;
};

struct Scaled {
  Function f;
  Param N = f.param("N");
  Var i{"i", 0, N};
  Input in = f.input("in", i32, {N});
  Computation s;

  Scaled(const std::string& name, int factor) : f(name), s(f.computation("s", {i}, in(i)*factor)) {
    s.vectorize(i, 8);
    s.parallelize(i);
  }
  std::vector<Buffer> arguments() const { return {in.buffer(), s.buffer()}; }
};

const char* const calls_both = R"(
#include <strata/runtime.h>
#include <stdio.h>
#include <string.h>
#include "five.h"
#include "seven.h"

static int32_t in[37], out[37];

static struct halide_buffer_t *described(strata_buffer *b, strata_dimension *d, int32_t *memory,
                                         int64_t extent) {
  strata_buffer_init(b, strata_int(32), memory, 1, d, &extent);
  return strata_argument(b);
}

int main(void) {
  strata_buffer a, b;
  strata_dimension da, db;
  for (int i = 0; i < 37; ++i) in[i] = i - 9;
  if (five(37, described(&a, &da, in, 37), described(&b, &db, out, 37)) != 0) return 1;
  for (int i = 0; i < 37; ++i)
    if (out[i] != 5 * (i - 9)) return 2;
  if (seven(37, strata_argument(&a), strata_argument(&b)) != 0) return 3;
  for (int i = 0; i < 37; ++i)
    if (out[i] != 7 * (i - 9)) return 4;
  if (five(37, described(&a, &da, in, 36), strata_argument(&b)) != strata_error_out_of_bounds)
    return 5;
  if (strstr(strata_last_error(), "in") == NULL) return 6;
  for (int i = 0; i < 37; ++i)
    if (out[i] != 7 * (i - 9)) return 7;
  if (five(37, NULL, strata_argument(&b)) != strata_error_null_buffer) return 8;
  return 42;
}
)";

// The status is the factor of lanes.
const char* const returns_lanes = R"(
#include <strata/runtime.h>
#include "lanes.h"
int main(void) {
  int32_t in[9] = {0, 0, 1}, out[9];
  int64_t extent = 9;
  strata_buffer a, b;
  strata_dimension da, db;
  strata_buffer_init(&a, strata_int(32), in, 1, &da, &extent);
  strata_buffer_init(&b, strata_int(32), out, 1, &db, &extent);
  return lanes(9, strata_argument(&a), strata_argument(&b)) == 0 ? out[2] : 1;
}
)";

}  // namespace

TEST_CASE("two objects and their headers in one C program", "[object]") {
  const Folder folder;
  Scaled five("five", 5), seven("seven", 7);
  const StageTimes spent = five.f.codegen(five.arguments(), folder / "five.o");
  for (const char* part : {"program", "loops", "machine code"}) {
    CHECK(std::any_of(spent.begin(), spent.end(),
                      [&](const StageTime& time) { return time.part == part; }));
    CHECK(seconds_of(spent, part) >= 0);
  }
  CHECK(seconds_of(spent, "machine code") > 0);
  seven.f.codegen(seven.arguments(), folder / "seven.o");
  CHECK(folder.run_c(calls_both, "five.o seven.o") == 42);
}

TEST_CASE("objects with profiles write them at exit, those without do not", "[object][profile]") {
  const Folder folder;
  Scaled five("five", 5), seven("seven", 7);
  CodegenOptions options;
  options.profile = true;
  five.f.codegen(five.arguments(), folder / "five.o", options);
  seven.f.codegen(seven.arguments(), folder / "seven.o");
  setenv("STRATA_PROFILE", (folder / "trace.json").c_str(), 1);
  CHECK(folder.run_c(calls_both, "five.o seven.o") == 42);
  unsetenv("STRATA_PROFILE");
  const std::string trace = folder.read("trace.json");
  INFO(trace);
  // One of the three calls of five passes the checks of its arguments.
  CHECK(trace.find("\"name\": \"i: s\", \"cat\": \"five\"") != std::string::npos);
  CHECK(trace.find("\"name\": \"i: s\", \"cat\": \"five\"") ==
        trace.rfind("\"name\": \"i: s\", \"cat\": \"five\""));
  CHECK(trace.find("seven") == std::string::npos);
}

TEST_CASE("the same program gives the same bytes", "[object]") {
  const Folder folder;
  for (const char* name : {"once.o", "again.o"}) {
    Scaled five("five", 5);
    five.f.codegen(five.arguments(), folder / name);
  }
  CHECK(folder.read("once.o").size() > 0);
  CHECK(folder.read("once.o") == folder.read("again.o"));
  CHECK(folder.read("once.h") == folder.read("again.h"));
}

TEST_CASE("header and assembly go where they are wanted", "[object]") {
  const Folder folder;
  Scaled five("five", 5);
  CodegenOptions options;
  options.header = (folder / "other.h").string();
  options.assembly = (folder / "five.s").string();
  five.f.codegen(five.arguments(), folder / "five.o", options);
  CHECK(folder.read("other.h").find("int five(int64_t N") != std::string::npos);
  CHECK(folder.read("five.s").find("five") != std::string::npos);
  CHECK_FALSE(fs::exists(folder / "five.h"));
}

TEST_CASE("a target by its name", "[object]") {
  const Folder folder;
  Scaled five("five", 5);
  CodegenOptions options;
  options.target = "x86-64-linux-sse41";
  five.f.codegen(five.arguments(), folder / "five.o", options);
  Scaled seven("seven", 7);
  options.target = "x86-64-linux-sse41-avx";
  seven.f.codegen(seven.arguments(), folder / "seven.o", options);
  CHECK(folder.run_c(calls_both, "five.o seven.o") == 42);
}

#ifdef __x86_64__
TEST_CASE("an object for several CPUs is linked and called like any other", "[object][halide]") {
  const Folder folder;
  Scaled five("five", 5), seven("seven", 7);
  CodegenOptions options;
  options.target = "x86-64-v4, x86-64,x86-64-v3";
  options.assembly = (folder / "five.s").string();
  five.f.codegen(five.arguments(), folder / "five.o", options);
  options.profile = true;
  options.assembly = "";
  seven.f.codegen(seven.arguments(), folder / "seven.o", options);
  setenv("STRATA_PROFILE", (folder / "trace.json").c_str(), 1);
  CHECK(folder.run_c(calls_both, "five.o seven.o") == 42);
  unsetenv("STRATA_PROFILE");
  CHECK(folder.read("trace.json").find("\"name\": \"i: s\", \"cat\": \"seven\"") !=
        std::string::npos);
  // Each version has the vectors of its CPU, and masks for the last one if the CPU has them.
  for (const auto& [target, vectors] :
       {std::pair("x86-64", "xmm"), std::pair("x86-64-v3", "ymm"), std::pair("x86-64-v4", "ymm")}) {
    const std::string text = folder.read("five." + std::string(target) + ".s");
    INFO(target);
    CHECK(text.find("five." + std::string(target)) != std::string::npos);
    CHECK(text.find(vectors) != std::string::npos);
    CHECK((text.find("{%k") != std::string::npos) == (target == std::string("x86-64-v4")));
  }
  CHECK(folder.read("five.x86-64.s").find("ymm") == std::string::npos);
}

TEST_CASE("each version reads sizes, and calls functions of the host", "[object][halide]") {
  const Folder folder;
  Function f("sized");
  Input size = f.input("size", i64, {1});
  Param N = f.param("N", size(0));
  Var i("i", 0, N);
  Input in = f.input("in", i32, {N});
  Computation out =
      f.computation("out", {i}, call(f64, "weight", {in(i)}) + cast(f64, in(i)) * 0.75);
  out.vectorize(i, 4);
  CodegenOptions options;
  options.target = "x86-64-v3,x86-64-v4,x86-64";
  f.codegen({size.buffer(), in.buffer(), out.buffer()}, folder / "sized.o", options);
  CHECK(folder.run_c(R"(
#include <strata/runtime.h>
#include "sized.h"
double weight(int32_t x);
double weight(int32_t x) { return x * 100.0; }
int main(void) {
  int64_t size[1] = {11}, one = 1;
  int32_t in[11];
  double out[11];
  strata_buffer a, b, c;
  strata_dimension da, db, dc;
  for (int i = 0; i < 11; ++i) in[i] = 4 * i;
  strata_buffer_init(&a, strata_int(64), size, 1, &da, &one);
  strata_buffer_init(&b, strata_int(32), in, 1, &db, size);
  strata_buffer_init(&c, strata_float(64), out, 1, &dc, size);
  if (sized(strata_argument(&a), strata_argument(&b), strata_argument(&c)) != 0) return 1;
  for (int i = 0; i < 11; ++i)
    if (out[i] != 403.0 * i) return 2;
  size[0] = 12;
  return sized(strata_argument(&a), strata_argument(&b), strata_argument(&c)) ==
                 strata_error_out_of_bounds
             ? 42
             : 3;
}
)",
                     "sized.o") == 42);
}

TEST_CASE("scalars in a C header, for one CPU and for several", "[object][halide]") {
  const auto scheduled = [](const Machine& m) {
    Function f("mixed");
    Param N = f.param("N");
    Var i("i", 0, N);
    Scalar half = f.scalar("half", f16), wide = f.scalar("wide", f64), byte = f.scalar("byte", i8);
    Scalar minus = f.scalar("minus", boolean), large = f.scalar("large", u64);
    Input in = f.input("in", f32, {N});
    const Expr scaled = cast(f64, in(i)*cast(f32, half)) * wide + cast(f64, byte);
    Computation out = f.computation(
        "out", {i}, select(minus, -scaled, scaled) + cast(f64, large / (std::uint64_t{1} << 60)));
    out.vectorize(i, m.lanes(f32));
    return Scheduled{f, {in.buffer(), out.buffer()}};
  };
  for (const std::string target : {"host", "x86-64-v3,x86-64-v4,x86-64"}) {
    const Folder folder;
    CodegenOptions options;
    options.target = target;
    codegen_each(scheduled, folder / "mixed.o", options);
    CHECK(folder.read("mixed.h").find(
              "int mixed(int64_t N, float half, double wide, int8_t byte, bool minus, "
              "uint64_t large, struct halide_buffer_t *in, struct halide_buffer_t *out);") !=
          std::string::npos);
    CHECK(folder.run_c(R"(
#include <strata/runtime.h>
#include "mixed.h"
int main(void) {
  float in[21];
  double out[21];
  int64_t n = 21;
  strata_buffer a, b;
  strata_dimension da, db;
  for (int i = 0; i < 21; ++i) in[i] = (float)i;
  strata_buffer_init(&a, strata_float(32), in, 1, &da, &n);
  strata_buffer_init(&b, strata_float(64), out, 1, &db, &n);
  for (int minus = 0; minus < 2; ++minus) {
    /* 2049 is 2048 as a float16. */
    if (mixed(n, 2049.0f, 0.25, -3, minus, UINT64_C(0xF000000000000000), strata_argument(&a),
              strata_argument(&b)) != 0)
      return 1;
    for (int i = 0; i < 21; ++i)
      if (out[i] != (minus ? -1 : 1) * (512.0 * i - 3) + 15) return 2;
  }
  return 42;
}
)",
                       "mixed.o") == 42);
  }
}

TEST_CASE("of the versions with schedules of their own the best one runs", "[object][halide]") {
  const Folder folder;
  const auto scaled_by_lanes = [](const Machine& m) {
    const Scaled s("lanes", m.lanes(i32));
    return Scheduled{s.f, s.arguments()};
  };
  const int lanes = __builtin_cpu_supports("avx512vl") ? 16
                    : __builtin_cpu_supports("avx2")   ? 8
                                                       : 4;
  CodegenOptions options;
  options.target = lanes == 4 ? "x86-64-v3,x86-64" : "x86-64,host";
  codegen_each(scaled_by_lanes, folder / "lanes.o", options);
  CHECK(folder.run_c(returns_lanes, "lanes.o") == lanes);
  options.target = "x86-64-v3,x86-64-v4,x86-64";
  codegen_each(scaled_by_lanes, folder / "lanes.o", options);
  CHECK(folder.run_c(returns_lanes, "lanes.o") == lanes);
}
#endif

}  // namespace strata::test::object_test
