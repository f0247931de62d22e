// What tune refuses, with the whole text.
#include <strata/buffer.h>
#include <strata/tune.h>
#include <catch2/catch.hpp>

#include <unistd.h>

#include <filesystem>

#include "tests/automatic/programs.h"
#include "tests/folder.h"
#include "tests/tuning/hooked.h"

namespace strata::test::refusals_test {

namespace {

// The refusal's text, after which the function is as before.
std::string refusal(const Unscheduled& program, const TuneOptions& options) {
  Function f = program.f;
  const std::vector<std::string> before = f.history();
  std::string text = "accepted";
  try {
    tune(f, program.arguments, options, {"place.cpp", 7});
  } catch (const Error& e) {
    text = e.what();
  }
  CHECK(f.history() == before);
  return text;
}

std::string refusal(const TuneOptions& options) { return refusal(product_of_matrices(), options); }

std::string bad_argument(const std::string& what, const std::string& mend) {
  return "error E0106 bad argument\n  in tune(product) at place.cpp:7\n  " + what +
         "\n  to fix it: " + mend + "\n";
}

}  // namespace

TEST_CASE("tune refuses times and numbers that cannot be") {
  TuneOptions options = small_product(2);
  for (const double seconds : {0.0, -1.0}) {
    options.seconds = seconds;
    CHECK(refusal(options) == bad_argument("seconds is " + std::to_string(seconds),
                                           "give a positive number; a candidate takes about one"));
  }
  options.seconds = std::numeric_limits<double>::quiet_NaN();
  CHECK(refusal(options) ==
        bad_argument("seconds is nan", "give a positive number; a candidate takes about one"));
  options = small_product(0);
  CHECK(refusal(options) == bad_argument("candidates is 0", "give 1 or more"));
  options = small_product(2);
  options.threads = -1;
  CHECK(refusal(options) == bad_argument("the number of threads is -1",
                                         "give 1 or more, or 0 for all cores of the machine"));
  options = small_product(2);
  options.sizes["nobody"] = 3;
  CHECK(refusal(options) ==
        bad_argument("there is no parameter nobody", "name parameters of product"));
  options.sizes = {{"N", 1'000'000'000}, {"M", 1'000'000'000}, {"K", 2}};
  CHECK(refusal(options) ==
        bad_argument("arrays of these sizes take 4e+09 GB, more than half of the memory",
                     "give smaller sizes"));
  options = small_product(2);
  options.replay = true;
  CHECK(refusal(options) == bad_argument("there is no log to replay", "name it in the option log"));
}

TEST_CASE("tune refuses logs that cannot be") {
  const Folder folder;
  const std::string mend = "name a file that tune made, or one that can be made";
  const std::string folder_path = folder.path.string(), other = folder / "other.txt";
  CHECK(refusal(small_product(2, folder_path)) ==
        bad_argument("the log " + folder_path + " is a folder", mend));
  CHECK(refusal(small_product(2, "/dev/null")) ==
        bad_argument("the log /dev/null is not an ordinary file", mend));
  write_file(other, "name = value\n");
  CHECK(refusal(small_product(2, other)) ==
        bad_argument("the log " + other + " has another format", mend));
  CHECK(lines_of(other) == std::vector<std::string>{"name = value"});
  write_file(other, "{\n  \"name\": 1\n}\n");
  CHECK(refusal(small_product(2, other)) ==
        bad_argument("the log " + other + " has another format", mend));
  write_file(other, "{\"strata_tuning\": 2, \"key\": \"\"}\n");
  CHECK(refusal(small_product(2, other)) ==
        bad_argument("the log " + other + " has another format", mend));
  const std::string nowhere = folder / "no/such/log";
  CHECK(refusal(small_product(2, nowhere)) ==
        bad_argument("the log " + nowhere + " cannot be made: No such file or directory", mend));
  TuneOptions replay = small_product(2, folder / "absent");
  replay.replay = true;
  CHECK(
      refusal(replay) ==
      bad_argument("the log " + replay.log + " cannot be opened: No such file or directory", mend));
  CHECK(!std::filesystem::exists(replay.log));
}

TEST_CASE("tune refuses a log that is read-only") {
  const Folder folder;
  const std::string path = folder / "log";
  write_file(path, "");
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::others_read);
  std::filesystem::permissions(folder.path, std::filesystem::perms::all);
  const uid_t user = geteuid();
  if (user == 0) REQUIRE(seteuid(65534) == 0);  // who may write anything
  const std::string text = refusal(small_product(2, path));
  if (user == 0) REQUIRE(seteuid(0) == 0);
  CHECK(text == bad_argument("the log " + path + " cannot be opened: Permission denied",
                             "name a file that tune made, or one that can be made"));
}

TEST_CASE("tune refuses functions and arguments that it cannot run") {
  const TuneOptions options = small_product(2);
  SECTION("no output") {
    Unscheduled program = product_of_matrices();
    program.arguments.pop_back();
    CHECK(refusal(program, options) ==
          "error E0116 wrong argument list\n  in codegen(a, b) at place.cpp:7\n  no argument is an "
          "output, so the kernel would do nothing\n  to fix it: add the buffer() of a computation, "
          "or store one over an input\n");
  }
  SECTION("compiled already") {
    Unscheduled program = product_of_matrices();
    program.f.jit(program.arguments);
    CHECK(refusal(program, options) ==
          bad_argument("loops or a kernel of product were made already, and would not have these "
                       "commands",
                       "call tune before jit, codegen, loops and the like"));
  }
  SECTION("inside of together") {
    Unscheduled program = product_of_matrices();
    std::string text;
    program.f.together([&] {
      try {
        tune(program.f, program.arguments, options, {"place.cpp", 7});
      } catch (const Error& e) {
        text = e.what();
      }
    });
    CHECK(text == bad_argument("this is inside of together", "call it after the group"));
  }
  SECTION("a GPU") {
    Function f("gpu");
    Param N = f.param("N");
    Var i("i", 0, N);
    Input x = f.input("x", f32, {N});
    Computation y = f.computation("y", {i}, x(i) + 1.0f);
    y.tile_gpu(i, 32);
    CHECK(refusal({f, {x.buffer(), y.buffer()}}, {.sizes = {{"N", 100}}})
              .find("  the loop i of y runs on a GPU, for which there are no rules\n") !=
          std::string::npos);
  }
  SECTION("leave of another function") {
    Function other("other");
    Var i("i", 0, 8);
    TuneOptions leaving = options;
    leaving.leave = {other.computation("b", {i}, cast(f32, i))};
    CHECK(refusal(leaving) ==
          "error E0101 unknown computation\n  in tune(product) at place.cpp:7\n  b is a "
          "computation of another function, other\n  to fix it: name computations of product\n");
  }
  SECTION("arrays") {
    Array<float> a({96, 96}), b({96, 96}), line({96});
    TuneOptions given = options;
    const std::string mend = "give the array of each argument, in their order, or none";
    given.arrays = {a, b};
    CHECK(refusal(given) == bad_argument("2 arrays are given for 3 arguments", mend));
    given.arrays = {a, b, nullptr};
    CHECK(refusal(given) == bad_argument("the array of c has no memory", mend));
    given.arrays = {a, b, line};
    CHECK(refusal(given) == bad_argument("the array of c has 1 dimensions, not 2", mend));
    Array<double> wide({96, 96});
    given.arrays = {a, b, wide};
    CHECK(refusal(given).find("the program as it stands fails on these arrays: the kernel returns "
                              "-112") != std::string::npos);
    CHECK(has_no_child());
  }
}

}  // namespace strata::test::refusals_test
