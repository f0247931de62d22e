#include "schedule/commands/launch/mma.h"

#include "schedule/edit/verified.h"

namespace strata {

Program mma(const Program& program, const BranchRef& sum, const std::string& shape, Given given) {
  const Command command{"mma", {sum, shape}, given, ""};
  Program result = program;
  const auto all = branches_named(result, sum, command);
  if (all.empty())
    throw command.refused(Code::E0204_not_scheduled, sum.definition + " is not scheduled",
                          "give it a schedule with set_schedule");
  const auto named = mma_shape_named(shape);
  if (!named)
    throw command.refused(Code::E0106_bad_argument, "tensor cores have no products named " + shape,
                          "name " + names_of_mma_shapes());

  for (const Placed& placed : all) node_at(result.mapping, placed.path).branch().mma = named;

  return verified(program, std::move(result), command);
}

}  // namespace strata
