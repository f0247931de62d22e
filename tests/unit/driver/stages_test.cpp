// The stages of a kernel, as the environment names them.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "codegen/lower.h"
#include "codegen/passes/passes.h"
#include "driver/back_end.h"

namespace strata::test::stages_test {

namespace {

using Names = std::vector<std::string>;

// A kernel whose loops are split at a border, with a register tile that is cut.
void compile_product(const std::string& back_end, bool profile) {
  Function f("product");
  const Param N = f.param("N");
  const Var i("i", 0, N), j("j", 0, N), k("k", 0, N);
  const Input a = f.input("a", f32, {N, N}), b = f.input("b", f32, {N, N});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, clamp(k - 1, 0, N - 1)) * b(k, j)));
  c.tile(i, j, 2, 16, "i0", "j0", "i1", "j1").unroll("i1").vectorize("j1");
  CodegenOptions options;
  options.backend = back_end;
  options.profile = profile;
  f.jit({a.buffer(), b.buffer(), c.buffer()}, options);
}

// The lines that compiling writes to standard error.
std::vector<std::string> written(const std::string& back_end, bool profile) {
  std::ostringstream text;
  std::streambuf* const before = std::cerr.rdbuf(text.rdbuf());
  compile_product(back_end, profile);
  std::cerr.rdbuf(before);
  std::vector<std::string> lines;
  std::istringstream in(text.str());
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// What the lines name, in order.
Names named(const std::vector<std::string>& lines, const std::string& pattern) {
  const std::regex wanted(pattern);
  Names names;
  std::smatch match;
  for (const std::string& line : lines)
    if (std::regex_match(line, match, wanted)) names.push_back(match[1]);
  return names;
}

Names timed(const std::vector<std::string>& lines) {
  return named(lines, "product: CPU [^ ]+ ms: (?:program|loops|machine code): (.*)");
}

template <typename Table>
void add_required(const Table& table, Names& names) {
  for (const auto& stage : table)
    if (!stage.optional) names.push_back(stage.name);
}

}  // namespace

TEST_CASE("STRATA_TIME and STRATA_DUMP name the same stages", "[codegen]") {
  setenv("STRATA_TIME", "1", 1);
  setenv("STRATA_DUMP", "all", 1);
  setenv("STRATA_VERIFY", "1", 1);
  const bool profile = GENERATE(false, true);
  for (const BackEnd& one : back_ends()) {
    const auto lines = written(one.name, profile);
    const Names names = timed(lines);
    CHECK(names.size() > 20);
    CHECK(named(lines, "// product after (.*)") == names);
    for (const char* const name : {"finish", "profile", "unswitch", "code size"})
      CHECK(std::count(names.begin(), names.end(), name) == 1);
  }
  unsetenv("STRATA_TIME");
  unsetenv("STRATA_DUMP");
  unsetenv("STRATA_VERIFY");
}

TEST_CASE("without fuel only stages that are required run", "[codegen]") {
  setenv("STRATA_TIME", "1", 1);
  setenv("STRATA_FUEL", "0", 1);
  const Names names = timed(written("c", false));
  unsetenv("STRATA_TIME");
  unsetenv("STRATA_FUEL");
  Names required{"finish"};
  add_required(loop_stages(), required);
  add_required(passes(), required);
  add_required(kernel_stages(), required);
  required.insert(required.end(), {"C", "C compiler"});
  CHECK(names == required);
}

TEST_CASE("the time of a stage is without that of the stages inside", "[codegen]") {
  const auto busy = [](int n) {
    const CpuTimer timer;
    while (timer.seconds() < 0.02) ++n;
    return n;
  };
  StageRun stages("f");
  const Watch<int> none{};
  const Stage<int> inner{"inner", busy, ""};
  const Stage<int> outer{"outer", [&](int n) { return stages.run("loops", inner, n, none); }, ""};
  stages.run("loops", outer, 0, none);
  REQUIRE(stages.times().size() == 2);
  CHECK(stages.times()[0].seconds >= 0.02);
  CHECK(stages.times()[1].stage == std::string("outer"));
  CHECK(stages.times()[1].seconds < 0.01);
}

}  // namespace strata::test::stages_test
