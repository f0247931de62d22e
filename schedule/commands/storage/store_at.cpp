#include "schedule/commands/storage/store_at.h"

#include <isl/map.h>

#include "core/sets/coalesce.h"
#include "core/sets/meter.h"
#include "schedule/commands/storage/allocate_at.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

// { P[y] -> pre ++ lexmin rest }, where pre are the first "levels" iterators.
isl::map first_times(const isl::map& time, unsigned levels) {
  const unsigned indices = time.domain_tuple_dim();
  const isl::id name = time.domain_tuple_id();
  isl_map* rest = isl_map_move_dims(time.copy(), isl_dim_in, indices, isl_dim_out, 0, levels);
  // { [y, pre] -> rest }
  rest = costlier(parametric_programming, [&] { return isl_map_lexmin(rest); });
  rest = isl_map_move_dims(rest, isl_dim_out, 0, isl_dim_in, indices, levels);
  const isl::map times = coalesced(isl::manage(rest));
  return isl::manage(isl_map_set_tuple_id(times.copy(), isl_dim_in, name.copy()));
}

}  // namespace

Program store_at(const Program& program, const std::string& producer,
                 const std::optional<LoopRef>& loop, Given given) {
  const Command command{
      "store_at",
      {producer, loop},
      given,
      "computing each value of " + producer + " once would read a value before it is computed"};
  const Definition& definition = definition_named(program, producer, command);
  const Path scope = loop ? loop_named(program, *loop, command) : Path{};
  Program result = program;
  bool found = false;
  for (const Placed& placed : branches_of(program.mapping, producer)) {
    if (!is_inside(placed.path, scope) || executions(*placed.branch).is_single_valued()) continue;
    // Also outside the domain: a result without contributions still needs a start time.
    node_at(result.mapping, placed.path).branch().time =
        TimeMap::from(first_times(placed.branch->time, unsigned(scope.size())));
    found = true;
  }
  if (!found)
    throw command.refused(Code::E0106_bad_argument,
                          producer + " is not recomputed inside " +
                              (loop ? "the loop " + to_string(*loop) : "any loop"),
                          "use compute_at first, at a loop further in");
  move_allocation(result, definition.array, loop, command);
  return verified(program, std::move(result), command);
}

}  // namespace strata
