#include "schedule/commands/launch/distribute.h"

#include "schedule/edit/launch.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

std::string partitions_of(const Program& program) {
  std::string names;
  for (const RankPartition& p : program.algorithm->partitions)
    names += (names.empty() ? "name one of " : ", ") + p.name;
  return names.empty() ? "make one with f.partition(name, size)" : names;
}

}  // namespace

Program distribute(const Program& program, const LoopRef& loop, const std::string& partition,
                   Given given) {
  const Command command{"distribute",
                        {loop, partition},
                        given,
                        "ranks would run loop " + loop.loop + " in an order that is not legal"};
  Program result = program;
  const Path path = loop_named(result, loop, command);
  Loop& shared = node_at(result.mapping, path).loop();
  if (!program.algorithm->find_partition(partition))
    throw command.refused(Code::E0106_bad_argument, "there is no partition " + partition,
                          partitions_of(program));
  require_free_processor(shared, Processor::node, command);
  if (!shared.partition.empty() && shared.partition != partition)
    throw command.refused(Code::E0205_tags_differ,
                          "loop " + loop.loop + " is distributed by " + shared.partition +
                              " already, and cannot be by " + partition + " as well",
                          "give one of the two commands, or split the loop");

  set_processor(shared, Processor::node);
  shared.partition = partition;

  return verified(program, std::move(result), command);
}

}  // namespace strata
