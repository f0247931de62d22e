// A candidate in the making: commands, and the program after them.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "automatic/facts/members.h"
#include "core/machine/machine.h"
#include "schedule/table/command_table.h"

namespace strata::automatic {

class Draft {
 public:
  explicit Draft(Program program) : program_(std::move(program)) {}

  const Program& program() const { return program_; }
  const std::vector<Command>& commands() const { return commands_; }

  // Applies a command, whose legality is asked later; throws its refusal.
  void give(const std::string& name, std::vector<CommandOperand> operands);

  // From here on, copies of this draft share what they make: the same commands in the same order
  // are applied once. Candidates of a rule often begin alike.
  void share();
  void share_no_longer() { shared_.reset(); }

  // The names of the loops around a computation of one branch, outermost first.
  std::vector<std::string> loops(const std::string& computation) const;
  // "name", or if it is in use the same with a number.
  std::string fresh(const std::string& name) const;

  // ---- in short ----

  // The loops of a chain take each other's places, in this order.
  void order(const std::string& computation, const std::vector<std::string>& loops);
  // Vectors of "lanes" of the loop, which keeps its name; what is left is masked.
  void vectors(const std::string& computation, const std::string& loop, int lanes,
               const std::string& tail = "");
  void unroll(const std::string& computation, const std::string& loop, const std::string& tail);
  // The computation of the loop reads the array through a copy, made once for the kernel in
  // parallel, with iterators of these names, whose innermost dimension is "innermost".
  void turned_copy(const LoopRef& loop, const std::string& array,
                   const std::vector<std::string>& iterators, std::size_t innermost);

  // ---- what a rule says beside its commands ----

  // Loops whose iterations may run at the same time, the best one first.
  std::vector<LoopRef> parallel = {};
  std::set<std::string> taken = {};  // the computations that are scheduled
  // What became of a computation: {"bx", "computed in the tiles of by"}.
  std::vector<std::pair<std::string, std::string>> notes = {};

 private:
  // The programs after some commands, by the text of these.
  using Shared = std::map<std::string, Program>;

  Program after(const Command& command);

  Program program_;
  std::vector<Command> commands_;
  std::shared_ptr<Shared> shared_ = {};
  std::string since_shared_ = {};  // the text of the commands since share()
};

}  // namespace strata::automatic
