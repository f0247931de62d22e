// Commands as values: each has one text, which parses back and which the table applies.
#include "schedule/table/command_table.h"

#include <algorithm>

#include "layers/text/text.h"
#include "schedule/commands/loops/split.h"
#include "schedule/table/command_text.h"
#include "tests/unit/programs.h"

namespace strata::test::command_table_test {

namespace {

// Examples of operands of a kind; N is a parameter, T one for tile sizes.
std::vector<CommandOperand> examples_of(OperandKind kind) {
  const Expr i = variable("i"), n = parameter("N");
  switch (kind) {
    case OperandKind::branch:
      return {"S", BranchRef("S", "head"), "root", BranchRef("root", "root")};
    case OperandKind::loop:
    case OperandKind::other_loop:
      return {LoopRef{"S", "i"}, LoopRef{"X_1", "root"}, LoopRef{"S", "i", "head"}};
    case OperandKind::other_loop_or_root:
      return {LoopRef{"S", "j_in2"}, OutsideLoops{}, LoopRef{"S", "i", "root"}};
    case OperandKind::loop_name_or_root:
    case OperandKind::loop_name_or_none: return {"i", OutsideLoops{}, "root"};
    case OperandKind::root: return {OutsideLoops{}};
    case OperandKind::size: return {1, 32, Param("T")};
    case OperandKind::number: return {0, -3, 9'000'000'000};
    case OperandKind::index: return {Expr(0), Expr(-2), i % 2, n + 1, (i + 3) / 4 - n, min(i, n)};
    case OperandKind::relation:
      return {IslNotation{"{ S[i, j] -> [0, j, 0, i, 0] }"},
              IslNotation{"a \"quote\" \\ and\nline"}};
    case OperandKind::memory:
      return {Memory::automatic, Memory::heap,  Memory::stack,   Memory::global,
              Memory::shared,    Memory::local, Memory::constant};
    case OperandKind::iterators:
      return {CommandOperand::Names{}, CommandOperand::Names{"x"},
              CommandOperand::Names{"root", "y"}};
    default: return {"S", "root", "heap", "array", ""};
  }
}

// The form with example "number" of each kind, and with "further" repeated operands.
Command example_of(const CommandRow& row, const Form& form, std::size_t number,
                   std::size_t further) {
  Command command{row.name, {}};
  const auto add = [&](OperandKind kind) {
    const auto examples = examples_of(kind);
    command.operands.push_back(examples[(number + command.operands.size()) % examples.size()]);
  };
  for (const OperandKind kind : form.operands) add(kind);
  for (; form.further && further > 0; --further) add(*form.further);
  return command;
}

bool same(const Command& a, const Command& b) {
  return a.name == b.name && a.given.check == b.given.check &&
         std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(),
                    [](const auto& x, const auto& y) { return strata::same(x, y); });
}

Algorithm parameters(const std::vector<std::string>& names) {
  return *empty_program(names).algorithm;
}

// The "code explanation" with which a text is refused.
std::string refused(const std::string& text) {
  const Refusal refusal = refusal_of([&] { parse_command(text, parameters({"N"})); });
  return to_string(refusal.code).substr(0, 5) + " " + refusal.explanation;
}

}  // namespace

TEST_CASE("the text of every command parses back to the command", "[commands]") {
  const Algorithm algorithm = parameters({"N", "T"});
  int commands = 0;
  for (const CommandRow& row : command_table())
    for (const Form& form : row.forms)
      for (std::size_t n = 0; n < 12; ++n) {
        Command command = example_of(row, form, n, n % 4);
        if (n % 3 == 2) command.given.check = Check::waived;
        const std::string text = command_line(command);
        INFO(text);
        const Command back = parse_command(text, algorithm);
        REQUIRE(same(back, command));
        CHECK(command_line(back) == text);
        ++commands;
      }
  CHECK(commands > 12 * 40);
}

TEST_CASE("a program has a row for each command's header", "[commands]") {
  CHECK(std::is_sorted(command_table().begin(), command_table().end(),
                       [](const CommandRow& a, const CommandRow& b) { return a.name < b.name; }));
  CHECK(command_table().size() == 49);
}

TEST_CASE("operands that differ are not the same", "[commands]") {
  const std::vector<CommandOperand> all = {"S",
                                           "T",
                                           LoopRef{"S", "i"},
                                           LoopRef{"S", "j"},
                                           LoopRef{"S", "i", "j"},
                                           BranchRef("S", "i"),
                                           BranchRef("S", "j"),
                                           LoopRef{"T", "i"},
                                           OutsideLoops{},
                                           1,
                                           2,
                                           Param("N"),
                                           Param("M"),
                                           Expr(1),
                                           parameter("N"),
                                           variable("N"),
                                           IslNotation{"1"},
                                           IslNotation{"2"},
                                           Memory::heap,
                                           Memory::stack,
                                           CommandOperand::Names{"S"},
                                           CommandOperand::Names{}};
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < all.size(); ++b) {
      INFO(to_text(all[a]) << " and " << to_text(all[b]));
      CHECK(strata::same(all[a], all[b]) == (a == b));
    }
}

TEST_CASE("a command applied is its function, and notes itself", "[commands]") {
  const Program start = grid();
  const Program by_table = applied(start, {"split", {LoopRef{"S", "i"}, 4, "x", "y"}});
  Program by_function = split(start, {"S", "i"}, 4, "x", "y");
  CHECK(start.history.empty());
  CHECK(by_function.history.empty());
  CHECK(by_table.history == std::vector<std::string>{"split(S.i, 4, x, y)"});
  by_function.history = by_table.history;
  CHECK(to_text(by_table) == to_text(by_function));
}

TEST_CASE("a composite command notes itself once, as it was given", "[commands]") {
  const Program cached =
      applied(grid(), parse_command("cache_at(S.i, in, c, {x, y}, heap)", parameters({"N"})));
  CHECK(cached.history == std::vector<std::string>{"cache_at(S.i, in, c, {x, y}, heap)"});
  CHECK(cached.layout.find("c")->memory == Memory::heap);
}

TEST_CASE("a command that is not in the table, and operands of no form, are refused",
          "[commands]") {
  const Refusal unknown = refusal_of([] { applied(grid(), {"splt", {LoopRef{"S", "i"}, 4}}); });
  CHECK(unknown.code == Code::E0106_bad_argument);
  CHECK(unknown.explanation == "there is no command splt");
  CHECK(unknown.mend.rfind("give one of after, allocate_at, ", 0) == 0);
  const Refusal wrong = refusal_of([] { applied(grid(), {"reverse", {"S", "i"}}); });
  CHECK(wrong.code == Code::E0106_bad_argument);
  CHECK(wrong.mend == "write reverse(COMPUTATION.loop)");
}

TEST_CASE("a text that is not a command is refused with what is expected", "[commands]") {
  CHECK(refused("splt(S.i, 4)")
            .rfind("E0108 line 1, column 1: there is no command 'splt'; there are after, ", 0) ==
        0);
  CHECK(refused("split(S.i)") ==
        "E0108 line 1, column 1: expected split(COMPUTATION.loop, number | parameter) or "
        "split(COMPUTATION.loop, number | parameter, new loop, new loop)");
  CHECK(refused("reverse(i)").find("expected reverse(COMPUTATION.loop)") != std::string::npos);
  CHECK(refused("reverse(S.i.j.k)").find("expected reverse(") != std::string::npos);
  CHECK(refused("skew(S.i, S.j, 1, 99999999999999999999)").find("expected skew(") !=
        std::string::npos);
  CHECK(refused("set_memory(S, disk)").find("automatic | heap | stack") != std::string::npos);
  CHECK(refused("reverse(S.i) reverse(S.i)").find("expected the end of the text") !=
        std::string::npos);
  CHECK(refused("reverse").find("expected") != std::string::npos);
  CHECK(refused("").find("expected a command") != std::string::npos);
  CHECK(refused("reverse(S.i").find("expected") != std::string::npos);
  CHECK(refused("shift(S.i, 1 +").find("expected") != std::string::npos);
}

}  // namespace strata::test::command_table_test
