#include "schedule/commands/launch/async.h"

#include "schedule/edit/verified.h"

namespace strata {

Program async(const Program& program, const BranchRef& copy, Given given) {
  const Command command{"async", {copy}, given, ""};
  Program result = program;
  const auto all = branches_named(result, copy, command);
  if (all.empty())
    throw command.refused(Code::E0204_not_scheduled, copy.definition + " is not scheduled",
                          "give it a schedule with set_schedule");

  for (const Placed& placed : all)
    node_at(result.mapping, placed.path).branch().asynchronous = true;

  return verified(program, std::move(result), command);
}

}  // namespace strata
