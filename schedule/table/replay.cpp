#include "schedule/table/replay.h"

#include "schedule/edit/verified.h"
#include "schedule/table/command_table.h"
#include "schedule/table/command_text.h"

namespace strata {

namespace {

class Replay {
 public:
  Replay(const Program& program, const std::string& text, const Given& given)
      : program_(program), scanner_(text), given_(given) {}

  Program run() {
    while (!scanner_.at_end()) {
      const int line = this_line();
      if (scanner_.accept_keyword("together"))
        group(line);
      else
        command(given_.check);
    }
    return program_;
  }

 private:
  int this_line() const { return scanner_.position(scanner_.peek().begin).line; }

  void group(int line) {
    scanner_.expect("{");
    const bool whole = given_.check != Check::deferred;
    const Program before = program_;
    if (whole) program_ = with_group_begun(program_);
    while (!scanner_.accept("}")) command(Check::deferred);
    if (whole) in_line(line, [&] { program_ = with_group_ended(before, program_, given_); });
  }

  void command(Check check) {
    const int line = this_line();
    Command command = parse_command(scanner_, *program_.algorithm);
    command.given.where = given_.where;
    if (check == Check::deferred) command.given.check = check;
    in_line(line, [&] { program_ = applied(program_, command); });
  }

  // Adds the line to a refusal that "act" throws.
  template <typename Act>
  void in_line(int line, Act act) const {
    try {
      act();
    } catch (const Error& e) {
      Refusal refusal = e.refusal();
      refusal.command = "line " + std::to_string(line) + ": " + refusal.command;
      throw Error(refusal);
    }
  }

  Program program_;
  TextScanner scanner_;
  const Given given_;
};

}  // namespace

Program replayed(const Program& program, const std::string& text, const Given& given) {
  try {
    return Replay(program, text, given).run();
  } catch (const Error& e) {
    if (!e.refusal().command.empty()) throw;
    Refusal refusal = e.refusal();
    refusal.command = "replay";
    refusal.where = given.where;
    throw Error(refusal);
  }
}

Program with_group_begun(Program program) {
  program.history.push_back(group_begin);
  return program;
}

Program with_group_ended(const Program& before, Program after, const Given& given) {
  const Command command{"together", {}, given};
  after = made_within_budget(before, command, [&] { return verified(before, after, command); });
  if (after.history.back() == group_begin)
    after.history.pop_back();
  else
    after.history.push_back(group_end);
  return after;
}

}  // namespace strata
