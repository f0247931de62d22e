// Judges the recorded findings of the fuzzer again.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "layers/text/text.h"
#include "schedule/legality/legality.h"
#include "schedule/table/command_text.h"
#include "tests/fuzz/finding.h"
#include "tests/fuzz/verdict.h"

namespace strata::fuzz::cases_test {

namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Library and oracle must agree on the program.  A refused program must have a witness; a legal one
// must compute the correct values.
void judge_again(const Program& program) {
  const auto refusal = find_violation(program);
  const auto witness =
      refusal ? witness_of(*refusal, *program.algorithm) : std::optional<Witness>();
  const auto fault = refusal ? broken(program, witness) : broken(program, Effort::accepted);
  if (fault) INFO(to_string(*fault));
  if (refusal) {
    CHECK((witness && !witness->executions.empty()));
    CHECK((fault || refused_by_design(refusal->code, program, witness)));
    return;
  }
  CHECK_FALSE(fault.has_value());
  for (const Floats mode : {Floats::exact, Floats::fast}) {
    const JudgedProgram judged = judge_program(program, mode, {});
    INFO((judged.found ? judged.found->what : ""));
    CHECK_FALSE(judged.found.has_value());
  }
}

}  // namespace

TEST_CASE("library and judges agree where they once did not", "[fuzz][cases]") {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STRATA_FUZZ_CASES)) {
    if (entry.path().extension() != ".strata") continue;
    INFO(entry.path().filename().string());
    judge_again(parse_program(std::make_shared<Session>(), contents(entry.path())));
    ++count;
  }
  CHECK(count > 0);
}

TEST_CASE("the history of a stored program is commands", "[fuzz][cases][replay]") {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STRATA_FUZZ_CASES)) {
    if (entry.path().extension() != ".strata") continue;
    const Program program = parse_program(std::make_shared<Session>(), contents(entry.path()));
    INFO(entry.path().filename().string());
    CHECK(program.scheduled == !program.history.empty());
    for (const std::string& line : program.history) {
      CHECK(command_line(parse_command(line, *program.algorithm)) == line);
      ++count;
    }
  }
  CHECK(count >= 20);
}

}  // namespace strata::fuzz::cases_test
