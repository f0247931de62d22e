#include "schedule/commands/loops/rfactor.h"

#include <fmt/format.h>

#include <set>

#include "layers/define/partial_results.h"
#include "layers/flow/initial_values.h"
#include "schedule/edit/prefetches.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

// Why S cannot be split at this level, or "".
std::string why_not(const Definition& d, const Placed& placed, unsigned level) {
  if (!executions(*placed.branch).is_single_valued())
    return d.name + " is computed several times; use rfactor before compute_at";
  if (d.is_atomic) return d.name + " is atomic, and needs no partial results";
  if (placed.loops[level]->tile_size)
    return fmt::format("the iterations of {} are tiles whose size is not known at compile time",
                       placed.loops[level]->name);
  if (result_levels(d, placed)[level])
    return fmt::format(
        "each iteration of {} holds all contributions to its results, so there are no partial "
        "results",
        placed.loops[level]->name);
  return "";
}

// Do all instances run? Those that do not would be in no partial result.
bool runs_whole(const Program& program, const Definition& d, const Placed& placed) {
  return isl::set(d.domain)
      .intersect_params(program.algorithm->context)
      .is_subset(executions(*placed.branch).domain());
}

// A free iterator name: that of the loop, or close to it.
std::string iterator_for(const std::string& loop, const Program& program, const Definition& d) {
  std::set<std::string> taken(d.iterators.begin(), d.iterators.end());
  taken.insert(program.algorithm->parameters.begin(), program.algorithm->parameters.end());
  return free_name(loop, taken);
}

}  // namespace

Program rfactor(const Program& program, const LoopRef& loop, const std::string& part, Given given) {
  const Command command{"rfactor",
                        {loop, part},
                        given,
                        "adding " + loop.definition +
                            " up from partial results would read a value before it is computed"};
  const Definition& whole = definition_named(program, loop.definition, command);
  if (!whole.reduction)
    throw command.refused(Code::E0106_bad_argument, loop.definition + " is not a reduction",
                          "write it as a sum, or another reduction, over the iterator");
  const auto level = unsigned(loop_named(program, loop, command).size()) - 1;
  const Placed placed = whole_named(program, loop.definition, command);
  if (const auto reason = why_not(whole, placed, level); !reason.empty())
    throw command.refused(Code::E0106_bad_argument, reason, "name a loop over reduced iterators");
  if (!runs_whole(program, whole, placed))
    throw command.refused(Code::E0106_bad_argument,
                          whole.name + " is computed only where its readers need it",
                          "use rfactor before compute_at");

  Program result =
      with_partial_results(program, loop.definition, level, part,
                           iterator_for(loop.loop, program, whole), {command.text(), given.where});
  pass_prefetches(result.mapping, loop.definition, part);
  return verified(program, std::move(result), command);
}

}  // namespace strata
