// Verdicts for search tools: the same as those of the commands.
#include "schedule/table/find_commands.h"

#include <set>

#include "layers/text/text.h"
#include "schedule/table/command_table.h"
#include "tests/unit/programs.h"

namespace strata::test::find_commands_test {

namespace {

// The verdict of applied().
Tried thrown(const Program& program, const Command& command) {
  try {
    return {applied(program, command), std::nullopt};
  } catch (const Error& e) {
    return {std::nullopt, e.code()};
  }
}

std::set<std::string> texts(const std::vector<Command>& commands) {
  std::set<std::string> all;
  for (const Command& command : commands) all.insert(command.text());
  return all;
}

}  // namespace

TEST_CASE("a command tried has the verdict of the command given", "[find_commands]") {
  std::set<std::optional<Code>> codes;
  for (const Program& program : {grid(), antidiagonal(), three_stages(), stencil()})
    for (const Command& command : candidates(program)) {
      INFO(command.text());
      const Tried tried = find_applied(program, command), given = thrown(program, command);
      REQUIRE(tried.code == given.code);
      REQUIRE(tried.program.has_value() == given.program.has_value());
      if (given.program) CHECK(to_text(*tried.program) == to_text(*given.program));
      codes.insert(tried.code);
    }
  CHECK(codes.size() >= 6);
}

TEST_CASE("what applies to a loop nest is found", "[find_commands]") {
  // for i: for j: S(i, j) = S(i, j - 1) + 1 carries its dependence in j.
  const auto found = texts(
      find_applicable(row_sums(), {{"reverse", "parallelize", "interchange", "vectorize"}, {8}}));
  CHECK(found == std::set<std::string>{"interchange(S.i, S.j)", "interchange(S.j, S.i)",
                                       "parallelize(S.i)", "reverse(S.i)", "vectorize(S.i, 8)"});
}

TEST_CASE("commands that do not exist are refused without a word", "[find_commands]") {
  CHECK(find_applied(grid(), {"splt", {}}).code == Code::E0106_bad_argument);
  CHECK(find_applicable(grid(), {{"splt"}, {}}).empty());
}

}  // namespace strata::test::find_commands_test
