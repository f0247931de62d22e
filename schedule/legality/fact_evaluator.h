// Evaluates the facts of a program: the only place where legality questions see the program.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "layers/program.h"
#include "schedule/legality/facts.h"

namespace strata {

class ProgramView;

class FactEvaluator {
 public:
  explicit FactEvaluator(const Program& program);
  FactEvaluator(const FactEvaluator&) = delete;
  // Adds the automatic places (automatic_places.h).
  void give_automatic_places(const std::function<bool(const std::string&)>& runs_once);

  // "view" is the view of the fact's scope, for facts that are derived from others.
  FactValue value(const Fact& fact, const ProgramView& view) const;

  const Algorithm& algorithm() const { return *program_.algorithm; }
  isl::ctx isl() const { return program_.session->isl(); }
  isl::union_map theta(const FactScope& scope) const;
  const Loop& loop(const LoopAt& loop) const;

 private:
  FactValue value_of_branch(const Fact& fact, const ProgramView& view) const;
  FactValue value_of_buffer(const Fact& fact) const;
  bool is_there(const FactScope& scope) const;
  std::vector<Placed> placed(const FactScope& scope, const std::string& definition) const;
  const Placed* find(const BranchId& branch) const;
  const std::vector<Path>& allocating_loops(const std::string& buffer) const;
  // Does a loop around the scope step over tiles of a parametric size?
  bool steps_over_tiles(const FactScope& scope) const;
  // The executions of a branch, with the iterators of the loops around the scope as parameters.
  isl::map executions_in(const FactScope& scope, const Placed& placed) const;
  std::vector<LoopAt> tagged_loops() const;
  std::vector<BranchId> owners(const LoopAt& loop) const;
  bool is_kept(const std::string& buffer) const;

  const Program& program_;
  const Mapping mapping_;  // complete
  const std::vector<Placed> all_;
  std::map<std::string, std::vector<Placed>> by_definition_;
  std::map<std::string, std::vector<Path>> allocating_;  // by buffer, in static order
  Layout layout_;                                        // with automatic places
};

}  // namespace strata
