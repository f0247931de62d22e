#include "schedule/commands/order/compute_at.h"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/edit/placement.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

// The loops that the author named, in the program without P.
std::vector<Site> sites_named(const Program& without, const std::string& producer,
                              const std::vector<LoopRef>& loops, const Command& command) {
  if (loops.empty())
    throw command.refused(Code::E0106_bad_argument, "no loop is named",
                          "name a loop of a computation that reads " + producer);
  std::vector<Site> sites;
  for (const LoopRef& loop : loops) {
    if (loop.definition == producer)
      throw command.refused(Code::E0106_bad_argument,
                            producer + " cannot be computed inside its own loops",
                            "name a loop of a computation that reads it");
    const Path path = loop_named(without, loop, command);
    for (const Site& other : sites)
      if (other.loop == path || is_inside(path, other.loop) || is_inside(other.loop, path))
        throw command.refused(
            Code::E0106_bad_argument,
            fmt::format("{} is nested in another loop of this command", to_string(loop)),
            "name the outermost of them only");
    sites.push_back({path});
  }
  return sites;
}

Command described(const std::string& producer, std::vector<CommandOperand> operands, Given given) {
  operands.insert(operands.begin(), producer);
  return {"compute_at", std::move(operands), given,
          "computing " + producer + " there would read a value before it is computed"};
}

}  // namespace

Program compute_at(const Program& program, const std::string& producer,
                   const std::vector<LoopRef>& loops, Given given) {
  const Command command = described(producer, {loops.begin(), loops.end()}, given);
  const Definition& definition = definition_named(program, producer, command);
  Program result = program;

  const Detached detached = detach(result, definition, command);
  auto sites = sites_named(result, producer, loops, command);
  find_needed(sites, result, definition, command);
  for (std::size_t n = 0; n < sites.size(); ++n)
    if (!sites[n].needed)
      throw command.refused(
          Code::E0106_bad_argument,
          fmt::format("nothing inside {} reads {}", to_string(loops[n]), producer),
          "name a loop of a computation that reads it");
  insert(result, detached, sites, command);

  return verified(program, std::move(result), command);
}

Program computed_in(const Program& program, const std::string& producer, const LoopRef& loop,
                    Given given) {
  const Command command = described(producer, {loop}, given);
  definition_named(program, producer, command);
  const Path path = loop_named(program, loop, command);
  const auto all = branches_of(program.mapping, producer);
  const bool is_there = std::any_of(all.begin(), all.end(), [&](const Placed& placed) {
    return placed.branch->reader_loops == int(path.size()) && is_inside(placed.path, path);
  });
  return is_there ? program : compute_at(program, producer, {loop}, given);
}

Program compute_at_root(const Program& program, const std::string& producer, Given given) {
  const Command command = described(producer, {OutsideLoops{}}, given);
  const Definition& definition = definition_named(program, producer, command);
  Program result = program;

  const Detached detached = detach(result, definition, command);
  insert_outside(result, detached, command);

  return verified(program, std::move(result), command);
}

}  // namespace strata
