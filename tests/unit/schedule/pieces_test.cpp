// Names of the pieces of a piecewise schedule, and commands given to one of them.
#include "layers/text/text.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/set_schedule.h"
#include "schedule/commands/loops/shift.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/unroll.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/order/before.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/order/fuse.h"
#include "schedule/table/command_table.h"
#include "schedule/table/find_commands.h"
#include "schedule/table/replay.h"
#include "tests/unit/programs.h"

namespace strata::test::pieces_test {

namespace {

const char* halves =
    "{ S[i, j] -> low[0, i, 0, j, 0] : i < 5; S[i, j] -> high[1, i, 0, j, 0] : i >= 5 }";

Program in_halves() { return set_schedule(grid(), "S", halves); }

std::string names(const Program& program) {
  std::string text;
  for (const Placed& placed : branches(program.mapping))
    text += (text.empty() ? "" : " ") + name_of(*placed.branch);
  return text;
}

std::string loops_of_piece(const Program& program, const std::string& piece) {
  for (const Placed& placed : branches(program.mapping))
    if (placed.branch->piece == piece) return loops_around(placed);
  return "none";
}

}  // namespace

TEST_CASE("pieces are named by the tuples of the map, or numbered", "[pieces]") {
  CHECK(names(grid()) == "S");
  CHECK(names(in_halves()) == "S.low S.high");
  CHECK(names(set_schedule(
            grid(), "S",
            "{ S[i, j] -> [0, i, 0, j, 0] : i < 5; S[i, j] -> [1, i, 0, j, 0] : i >= 5 }")) ==
        "S.p1 S.p2");
  CHECK(names(set_schedule(
            grid(), "S",
            "{ S[i, j] -> p1[1, i, 0, j, 0] : i >= 5; S[i, j] -> [0, i, 0, j, 0] : i < 5 }")) ==
        "S.p2 S.p1");
  // One tuple, two numbers.
  CHECK(names(set_schedule(
            grid(), "S",
            "{ S[i, j] -> a[0, i, 0, j, 0] : i < 5; S[i, j] -> a[1, i, 0, j, 0] : i >= 5 }")) ==
        "S.a S.a2");
  CHECK(names(set_schedule(in_halves(), "S", "{ S[i, j] -> low[0, i, 0, j, 0] }")) == "S");
  CHECK(refusal_of([] { set_schedule(grid(), "S", "{ S[i, j] -> int[0, i, 0, j, 0] }"); }).code ==
        Code::E0105_bad_name);
}

TEST_CASE("commands on loops change the piece that is named", "[pieces]") {
  Program program = split(in_halves(), {"S", "i", "high"}, 4);
  CHECK(loops_of_piece(program, "low") == "i j");
  CHECK(loops_of_piece(program, "high") == "i i_in j");
  program = unroll(program, {"S", "j", "low"}, 2);
  program = parallelize(program, {"S", "i", "high"});
  CHECK(loops_of_piece(program, "low") == "i j j_unroll:unrolled");
  CHECK(loops_of_piece(program, "high") == "i:parallel i_in j");
  CHECK(names(program) == "S.low S.high");
  // What only one piece has needs no piece's name.
  CHECK(loops_of_piece(parallelize(program, {"S", "j_unroll"}), "low") == "i j j_unroll:parallel");
}

TEST_CASE("commands on order move the piece that is named", "[pieces]") {
  const Program start = in_halves();
  const BranchRef low("S", "low"), high("S", "high");
  const Program swapped = after(start, low, high);
  CHECK(names(swapped) == "S.high S.low");
  CHECK(same_schedule(before(swapped, low, high), start));
  const Program fused = fuse(in_halves(), {"S", "i", "low"}, {"S", "i", "high"});
  CHECK(names(fused) == "S.low S.high");
  CHECK(runs(fused, "S",
             "{ S[i, j] -> [0, i, 0, j, 0] : i < 5; S[i, j] -> [0, i, 1, j, 0] : i >= 5 }"));
  // Both names mean the shared loop, but shift moves only the named piece; if none is named, both.
  CHECK(runs(shift(fused, {"S", "i", "high"}, 1), "S",
             "{ S[i, j] -> [0, i, 0, j, 0] : i < 5; S[i, j] -> [0, i + 1, 1, j, 0] : i >= 5 }"));
  CHECK(
      runs(shift(fused, {"S", "i"}, 1), "S",
           "{ S[i, j] -> [0, i + 1, 0, j, 0] : i < 5; S[i, j] -> [0, i + 1, 1, j, 0] : i >= 5 }"));
}

TEST_CASE("a name that means several loops or places lists the pieces", "[pieces]") {
  const Refusal loop = refusal_of([] { split(in_halves(), {"S", "i"}, 4); });
  CHECK(loop.code == Code::E0103_ambiguous_loop);
  CHECK(loop.explanation == "S.i names 2 different loops: S.low.i, S.high.i");
  CHECK(loop.mend == "name one of them");
  const Refusal place = refusal_of([] { after(in_halves(), "S", BranchRef("S", "low")); });
  CHECK(place.code == Code::E0103_ambiguous_loop);
  CHECK(place.explanation == "S is scheduled in 2 places: S.low, S.high");
}

TEST_CASE("a piece that is not there is refused", "[pieces]") {
  const Refusal wrong = refusal_of([] { split(in_halves(), {"S", "i", "middle"}, 4); });
  CHECK(wrong.code == Code::E0101_unknown_computation);
  CHECK(wrong.explanation == "S has no piece middle; it has S.low, S.high");
  const Refusal none = refusal_of([] { split(grid(), {"S", "i", "low"}, 4); });
  CHECK(none.code == Code::E0101_unknown_computation);
  CHECK(none.explanation == "S has no piece low; it is scheduled in one place");
  CHECK(refusal_of([] { split(in_halves(), {"S", "k", "low"}, 4); }).explanation ==
        "S.low has no loop k; it has i, j");
}

TEST_CASE("what is computed in several places has pieces, and moves by their names", "[pieces]") {
  Program program = compute_at(three_stages(), "P", {{"Q", "i"}, {"R", "i"}});
  CHECK(names(program) == "P.p1 Q P.p2 R");
  // The first i is a loop of R.
  CHECK(loops_of_piece(split(program, {"P", "j", "p2"}, 4), "p2") == "i i2 j j_in");
  CHECK(loops_of_piece(program, "p1") == "i i2 j");
  CHECK(names(compute_at_root(program, "P")) == "P Q R");
}

TEST_CASE("names of pieces print, parse back, and replay", "[pieces]") {
  Program program = grid();
  for (const char* text : {"set_schedule(S, \"{ S[i, j] -> low[0, i, 0, j, 0] : i < 5; S[i, j] -> "
                           "high[1, i, 0, j, 0] : "
                           "i >= 5 }\")",
                           "split(S.high.i, 4)", "after(S.low, S.high)", "unroll(S.low.j, 2)"})
    program = replayed(program, text, {});
  CHECK(program.history[1] == "split(S.high.i, 4)");
  CHECK(program.history[2] == "after(S.low, S.high)");
  const std::string text = to_text(program);
  CHECK(text.find("run S piece high\n") != std::string::npos);
  CHECK(to_text(transfer(program, std::make_shared<Session>())) == text);
  std::string history;
  for (const std::string& line : program.history) history += line + "\n";
  CHECK(to_text(replayed(grid(), history, {})) == text);
}

TEST_CASE("tools that search try commands on pieces", "[pieces]") {
  std::set<std::string> found;
  for (const Command& command : find_applicable(in_halves(), {{"parallelize", "after"}, {4}}))
    found.insert(command.text());
  CHECK(found.count("parallelize(S.low.i)") == 1);
  CHECK(found.count("parallelize(S.high.j)") == 1);
  CHECK(found.count("after(S.low, S.high)") == 1);
}

}  // namespace strata::test::pieces_test
