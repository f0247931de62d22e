#include "layers/verify/verify_ranks.h"

#include <isl/map.h>
#include <isl/set.h>

#include "layers/flow/ranks.h"
#include "layers/witness.h"

namespace strata {

namespace {

void verify_node(const Program& program, const Placed& placed, std::size_t level,
                 const Request& request) {
  const Loop& loop = *placed.loops[level];
  if (!program.algorithm->find_partition(loop.partition))
    throw request.refused(Code::E0208_malformed_schedule,
                          "loop " + loop.name + " is distributed by " +
                              (loop.partition.empty() ? "nothing" : loop.partition) +
                              ", which is not a partition");
  if (loop.tile_size)
    throw request.refused(Code::E0106_bad_argument,
                          "loop " + loop.name + " steps over tiles whose size is " +
                              *loop.tile_size + ", a parameter, and cannot be distributed",
                          "distribute the loop before it is tiled, and tile a loop inside it");
}

void verify_nesting(const Placed& placed, std::size_t level, const Request& request) {
  const Loop& loop = *placed.loops[level];
  for (std::size_t n = 0; n < placed.loops.size(); ++n) {
    const Loop& other = *placed.loops[n];
    if (n == level || (other.processor == Processor::sequential)) continue;
    if (is_of_ranks(other.processor))
      throw request.refused(Code::E0402_not_on_ranks,
                            "the loops " + loop.name + " and " + other.name + " around " +
                                name_of(*placed.branch) +
                                " are both distributed, and grids of ranks are not supported yet",
                            "distribute one of them");
    if (n < level || is_of_launch(other.processor))
      throw request.refused(
          Code::E0402_not_on_ranks,
          "loop " + loop.name + " is distributed, and loop " + other.name +
              (n < level ? " around it is " : " inside it is ") + to_string(other.processor),
          n < level ? "distribute a loop around it" : "leave out distribute, or the launch");
  }
}

// { [v] : v is an iteration of the partition } contains { [t_level] : the branch runs }.
void verify_range(const Program& program, const Placed& placed, std::size_t level,
                  const Request& request) {
  const Loop& loop = *placed.loops[level];
  const RankPartition& partition = *program.algorithm->find_partition(loop.partition);
  const isl::map runs = one_level(executions(*placed.branch), unsigned(level))
                            .intersect_params(program.algorithm->context);
  const isl::map outside = isl::manage(isl_map_subtract_range(
      runs.copy(), iterations_of(partition, program.session->isl()).release()));
  if (outside.is_empty()) return;
  const isl::map pair = smallest(outside, program.algorithm->parameters);
  const std::string value = std::to_string(coordinates(pair.range()).front());
  throw request.refused(
      Code::E0209_outside_partition,
      "loop " + loop.name + " has iterations outside of the partition " + partition.name,
      "distribute it by a partition of at least that size, that begins at 0",
      Witness{parameters_text(pair.domain()),
              {{instance_text(pair.domain()), time_text(pair.domain(), theta(program.mapping))}},
              "",
              {"{0} is in iteration " + value + ", which no rank has"}});
}

}  // namespace

void verify_ranks(const Program& program, const Request& request) {
  for (const Placed& placed : branches(program.mapping))
    if (const auto level = node_level(placed)) {
      verify_node(program, placed, *level, request);
      verify_nesting(placed, *level, request);
      verify_range(program, placed, *level, request);
    }
}

}  // namespace strata
