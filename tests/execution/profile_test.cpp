// Profiles: what is counted, compared with the number of calls and the sizes of the arrays.
#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/error/told.h"

namespace strata::test::profile_test {

namespace {

namespace fs = std::filesystem;

// t = in + 1 and its row sums s, in two nests.
struct RowSums {
  explicit RowSums(const std::string& name) : f(name) {
    CodegenOptions options;
    options.profile = true;
    with = f.jit(arguments(), options);
    without = f.jit(arguments());
  }
  std::vector<Buffer> arguments() const { return {in.buffer(), s.buffer()}; }

  Function f;
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N}, j{"j", 0, M};
  Input in = f.input("in", f32, {N, M});
  Computation t = f.computation("t", {i, j}, in(i, j) + 1.0f);
  Computation s = f.computation("s", {i}, sum(j, t(i, j)));
  JitFunction with, without;
};

// The row of a table: its numbers.
struct Row {
  long runs = -1;
  double milliseconds = -1, share = -1, megabytes = 0;
};

Row row_of(const std::string& table, const std::string& name) {
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, name.size() + 1, name + " ") != 0) continue;
    Row row;
    std::string percent;
    std::istringstream numbers(line.substr(name.size()));
    numbers >> row.runs >> row.milliseconds >> row.share >> percent >> row.megabytes;
    return row;
  }
  return {};
}

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// A file that is removed after the test.
struct File {
  explicit File(const std::string& name) : path(fs::temp_directory_path() / name) {}
  ~File() { fs::remove(path); }
  fs::path path;
};

constexpr std::int64_t N = 200, M = 300;

}  // namespace

TEST_CASE("a profile counts runs, time and bytes of each outermost loop", "[profile]") {
  RowSums p("row_sums");
  Array<float> in({N, M}, 2.0f), s({N});
  constexpr int calls = 3;
  for (int call = 0; call < calls; ++call) REQUIRE(p.with({N, M}, {in, s}) == 0);
  const std::string table = p.with.profile();
  INFO(table);
  const Row t = row_of(table, "i: t"), sums = row_of(table, "i: s"), all = row_of(table, "(all)");
  CHECK(t.runs == calls);
  CHECK(sums.runs == calls);
  CHECK(all.runs == calls);
  // in and t; t and s; four bytes each.
  CHECK(t.megabytes == Approx(calls * 4e-6 * (N * M + N * M)).margin(1e-3));
  CHECK(sums.megabytes == Approx(calls * 4e-6 * (N * M + N)).margin(1e-3));
  CHECK(t.milliseconds > 0);
  CHECK(t.milliseconds + sums.milliseconds <= all.milliseconds + 0.002);
  CHECK(all.share == 100);
}

TEST_CASE("a kernel computes the same with a profile", "[profile]") {
  RowSums p("same_sums");
  Array<float> in({N, M}), a({N}), b({N});
  float next = 0;
  for (float& value : in) value = next = next > 100 ? 0.25f : next + 1.5f;
  REQUIRE(p.with({N, M}, {in, a}) == 0);
  REQUIRE(p.without({N, M}, {in, b}) == 0);
  for (std::int64_t i = 0; i < N; ++i) CHECK(a(i) == b(i));
  CHECK(p.with({0, 0}, {Array<float>({0, 0}), Array<float>({0})}) == 0);
}

TEST_CASE("asking the profile of a kernel without one", "[profile]") {
  RowSums p("no_sums");
  CHECK(told(p.f, [&] { p.without.profile(); }) == R"(error E0106 bad argument
  in profile(no_sums) at HERE
  no_sums was compiled without a profile
  to fix it: give jit() the option profile
)");
  CHECK(told(p.f, [&] { p.with.profile(); }) == R"(error E0106 bad argument
  in profile(no_sums) at HERE
  no_sums has not been called
  to fix it: call it first
)");
  CHECK(strata_print_profile("no_sums", nullptr) == strata_error_no_profile);
  CHECK(std::string(strata_last_error()) ==
        "no_sums has no profile: compile it with the option profile, and call it");
}

TEST_CASE("the trace has an event for each run", "[profile]") {
  RowSums p("traced_sums");
  Array<float> in({N, M}, 2.0f), s({N});
  const File file("strata_profile_test.json");
  strata_clear_profile();
  CHECK(strata_write_trace(file.path.c_str()) == strata_error_no_profile);
  for (int call = 0; call < 2; ++call) REQUIRE(p.with({N, M}, {in, s}) == 0);
  REQUIRE(strata_write_trace(file.path.c_str()) == 0);
  const std::string trace = content(file.path);
  INFO(trace);
  CHECK(count(trace, "\"ph\": \"X\"") == 3 * 2);
  CHECK(count(trace, "\"name\": \"i: t\", \"cat\": \"traced_sums\"") == 2);
  CHECK(count(trace, "\"args\": {\"bytes\": " + std::to_string(4 * (N * M + N)) + "}") == 2);
  CHECK(count(trace, "{") == count(trace, "}"));
}

TEST_CASE("profiles and traces that cannot be written", "[profile]") {
  RowSums p("lost_sums");
  Array<float> in({N, M}, 2.0f), s({N});
  REQUIRE(p.with({N, M}, {in, s}) == 0);
  CHECK(strata_print_profile("lost_sums", "/nowhere/profile") == strata_error_cannot_write);
  CHECK(std::string(strata_last_error()) ==
        "cannot write the profile to /nowhere/profile: No such file or directory");
  CHECK(strata_write_trace("/nowhere/trace") == strata_error_cannot_write);
}

}  // namespace strata::test::profile_test
