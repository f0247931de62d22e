// Replaying the history of random commands on the program that they started from gives the same
// program.
#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "layers/text/text.h"
#include "schedule/table/command_source.h"
#include "schedule/table/command_table.h"
#include "schedule/table/replay.h"
#include "tests/fuzz/finding.h"
#include "tests/fuzz/program_generator.h"

namespace strata::fuzz::replay_test {

namespace {

constexpr std::uint64_t replay_programs = 30;
constexpr int attempts = 25;

// Every third command is given unchecked.
std::optional<Program> given(const Program& program, Command command, int number) {
  command.given.check = number % 3 == 0 ? Check::waived : Check::now;
  try {
    return applied(program, command);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The text without the waived violations: isl writes equal relations in several ways.
std::string text_of(Program program) {
  program.waivers.clear();
  return to_text(program);
}

bool same(const std::vector<Waiver>& a, const std::vector<Waiver>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Waiver& x, const Waiver& y) {
    return x.command == y.command &&
           isl::union_map(x.violations).is_equal(isl::union_map(y.violations));
  });
}

}  // namespace

TEST_CASE("a history drawn by chance replays", "[fuzz][replay]") {
  std::set<std::string> kinds;
  std::size_t commands = 0;
  for (std::uint64_t seed = 1; seed <= replay_programs; ++seed) {
    Random random(seed);
    const Program start = draw_program(random).program;
    Program program = start;
    for (int n = 0; n < attempts; ++n) {
      const DrawnCommand drawn = draw_command(random, program);
      const auto next = given(program, drawn.command, n);
      if (!next) continue;
      program = *next;
      kinds.insert(drawn.command.name);
    }
    commands += program.history.size();
    const std::string text = fmt::format("{}", fmt::join(program.history, "\n"));
    INFO("program " << seed << "\n" << text);
    const Program again = replayed(start, text, {});
    REQUIRE(text_of(again) == text_of(program));
    CHECK(same(again.waivers, program.waivers));
    CHECK(std::size_t(std::count(text.begin(), text.end(), '\n')) + 1 ==
          std::max<std::size_t>(program.history.size(), 1));
    source_of_history(program);
  }
  INFO(fmt::format("{}", fmt::join(kinds, ", ")));
  CHECK(kinds.size() >= 24);
  CHECK(commands > 150);
}

}  // namespace strata::fuzz::replay_test
