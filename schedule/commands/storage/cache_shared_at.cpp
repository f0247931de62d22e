#include "schedule/commands/storage/cache_shared_at.h"

#include "schedule/commands/launch/deal.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/cache_at.h"
#include "schedule/commands/storage/set_memory.h"
#include "schedule/edit/cooperative.h"

namespace strata {

namespace {

// The loop stands in a block of a launch, outside of its threads.
void require_in_block(const Program& program, const LoopRef& loop, const Command& command) {
  const Path path = loop_named(program, loop, command);
  const auto launch = launch_around(program.mapping, path);
  if (!launch)
    throw command.refused(Code::E0106_bad_argument,
                          "loop " + loop.loop + " is in no block of a GPU",
                          "give the reader blocks and threads first: gpu_tile, or gpu_blocks and "
                          "gpu_threads");
  for (const Loop* around : loops_along(program.mapping, path))
    if (around->processor == Processor::thread)
      throw command.refused(Code::E0106_bad_argument,
                            "loop " + loop.loop + " belongs to one thread, in thread loop " +
                                around->name + ", but all threads of the block fill shared memory",
                            "name a loop outside of the threads, or use cache_local_at");
  if (threads_of_block(program, *launch).empty())
    throw command.refused(Code::E0106_bad_argument,
                          "the block around loop " + loop.loop + " has no threads",
                          "give the reader threads first: gpu_threads");
}

// What its parts refuse, this command refuses. Only the last one is judged: before it the values
// may be in a place where several threads touch what each has for itself.
template <typename Make>
Program made_by(const Command& command, const Make& make) {
  try {
    return make(Given{command.given.where, Check::deferred});
  } catch (const Error& error) {
    Refusal refusal = error.refusal();
    refusal.command = command.text();
    throw Error(refusal);
  }
}

}  // namespace

Program cache_shared_at(const Program& program, const LoopRef& loop, const std::string& array,
                        const std::string& copy, const std::vector<std::string>& iterators,
                        Given given) {
  const Command command{"cache_shared_at", {loop, array, copy, iterators}, given};
  require_in_block(program, loop, command);
  return made_by(command, [&](const Given& unjudged) {
    const Program copied = cache_at(program, loop, array, copy, iterators, Memory::shared, unjudged,
                                    CopyOf::all_of_input);
    return deal_own_loops(copied, copy, given);
  });
}

Program cache_shared_at(const Program& program, const std::string& computation, const LoopRef& loop,
                        Given given) {
  const Command command{"cache_shared_at", {BranchRef{computation}, loop}, given};
  definition_named(program, computation, command);
  require_in_block(program, loop, command);
  return made_by(command, [&](const Given& unjudged) {
    const Program placed = computed_in(program, computation, loop, unjudged);
    const std::string& array = placed.algorithm->find(computation)->array;
    return deal_own_loops(set_memory(placed, array, Memory::shared, unjudged), computation, given);
  });
}

}  // namespace strata
