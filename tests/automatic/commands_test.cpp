// The commands found: the same in each process, those of this version of the rules, and legal for
// other machines.
#include <strata/strata.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

#include "automatic/autoschedule.h"
#include "core/record.h"
#include "tests/automatic/programs.h"
#include "tests/folder.h"

namespace strata::test::commands_test {

namespace {

// A line for each program: its name and the commands.
std::vector<std::string> commands_found(const std::string& cpu, int threads) {
  std::vector<std::string> lines;
  for (const Named& one : algorithms()) {
    const Unscheduled program = one.make();
    Function f = program.f;
    std::string line = one.name;
    for (const std::string& command :
         f.autoschedule(machine(cpu), {.arguments = program.arguments, .threads = threads})
             .commands)
      line += "; " + command;
    lines.push_back(std::move(line));
  }
  return lines;
}

// What the rules of this version find. Their hash depends on no address and no clock, so each
// process that runs this test compares its commands with those of all others.
constexpr int version_of_hash = 8;
constexpr std::uint64_t hash_of_commands = 14674607309954592270u;

}  // namespace

TEST_CASE("the commands found are those of this version of the rules") {
  std::vector<std::string> lines = commands_found("znver4", 2);
  for (std::string& line : commands_found("neoverse-v1", 1)) lines.push_back(std::move(line));
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  INFO(
      "The rules find other commands. Raise rules_version in automatic/autoschedule.h, so that "
      "the\n"
      "logs of tune that were made with the former rules do not count on, and write it and this\n"
      "hash here:  "
      << hash_of_text(text) << "u\n"
      << text);
  CHECK(hash_of_text(text) == hash_of_commands);
  CHECK(rules_version == version_of_hash);
}

TEST_CASE("what autoschedule finds for another machine is compiled for it") {
  const Folder folder;
  for (const char* const cpu : {"skylake-avx512", "znver3", "haswell", "neoverse-v1"}) {
    REQUIRE(setenv("STRATA_MACHINE", cpu, 1) == 0);
    for (const Named& one : algorithms()) {
      if (one.name != "column_sums" && one.name != "product_with_bias" && one.name != "blur" &&
          one.name != "softmax" && one.name != "heat")
        continue;
      INFO(one.name << " for " << cpu);
      const Unscheduled program = one.make();
      Function f = program.f;
      const Report report =
          f.autoschedule(machine(), {.arguments = program.arguments, .threads = 2});
      CHECK(report.refused == 0);
      const std::string object = folder / (one.name + "_" + cpu + ".o");
      f.codegen(program.arguments, object);
      CHECK(std::filesystem::file_size(object) > 0);
    }
  }
  unsetenv("STRATA_MACHINE");
}

}  // namespace strata::test::commands_test
