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

  // Applies a command, and throws its refusal. Its legality is checked later.
  void give(const std::string& name, std::vector<CommandOperand> operands);

  // From here on, copies of this draft share programs: the same commands in the same order are
  // applied once. Candidates of a rule often begin with the same commands.
  void share();
  void share_no_longer() { shared_.reset(); }

  // The names of the loops around a computation of one branch, outermost first.
  std::vector<std::string> loops(const std::string& computation) const;
  // The same of one of its pieces.
  std::vector<std::string> loops(const BranchRef& piece) const;
  // Has the loop a largest number of iterations, in all branches of the computation?
  bool has_constant_extent(const std::string& computation, const std::string& loop) const;
  // "name", or "name" with a number if it is in use.
  std::string fresh(const std::string& name) const;
  // So many names for the iterators of a copy: x, y, z, ..
  std::vector<std::string> fresh_iterators(std::size_t count) const;

  // ---- short forms ----

  // Puts the loops of a chain into this order.
  void order(const std::string& computation, const std::vector<std::string>& loops);
  // Makes vectors of "lanes" iterations of the loop, which keeps its name. The remaining iterations
  // are masked.
  void vectors(const std::string& computation, const std::string& loop, int lanes,
               const std::string& tail = "");
  // The same of the loop as the innermost one. The first "outside" loops stay where they are.
  void vectors_inside(const std::string& computation, std::size_t outside, const std::string& loop,
                      int lanes);
  void unroll(const std::string& computation, const std::string& loop, const std::string& tail);
  // The computation of the loop reads the array through a copy. The kernel makes the copy once, in
  // parallel. The copy has iterators of these names, and is stored in panels.
  void turned_copy(const LoopRef& loop, const std::string& array,
                   const std::vector<std::string>& iterators, std::size_t innermost, int panel = 0);
  // Stores the copy with "innermost" as its innermost dimension, in panels of so many of it, if
  // "panel" is not 0:  { copy[.., x, .., y] -> copy[floor(x / panel), .., y, x mod panel] }
  void store_in_panels(const std::string& copy, const std::vector<std::string>& iterators,
                       std::size_t innermost, int panel);

  // ---- what a rule tells besides its commands ----

  // Loops whose iterations may run at the same time, the best one first.
  std::vector<LoopRef> parallel = {};
  std::set<std::string> taken = {};  // the computations scheduled so far
  // What became of a computation: {"bx", "computed in the tiles of by"}.
  std::vector<std::pair<std::string, std::string>> notes = {};

 private:
  // Programs by the text of the commands that make them.
  using Shared = std::map<std::string, Program>;

  Program after(const Command& command);

  Program program_;
  std::vector<Command> commands_;
  std::shared_ptr<Shared> shared_ = {};
  std::string since_shared_ = {};  // the text of the commands since share()
};

}  // namespace strata::automatic
