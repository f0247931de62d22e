#include "schedule/edit/launch.h"

#include "schedule/edit/parametric.h"
#include "schedule/legality/extent.h"

namespace strata {

namespace {

Error tagged_twice(const Loop& loop, Processor processor, const Command& command) {
  return command.refused(Code::E0106_bad_argument,
                         "loop " + loop.name + " would be " + to_string(processor) +
                             ", but it is " + to_string(loop.processor) + " already",
                         "give a loop one of these tags");
}

void require_constant_extent(const Program& program, const LoopRef& loop, const Path& path,
                             const Command& command) {
  require_known_tiles(program, path, 1, to_string(Processor::thread), command);
  bool bounded = false;
  const bool decided =
      program.session->within_budget([&] { bounded = constant_extent(program, path).has_value(); });
  if (!decided)
    throw command.refused(
        Code::E0901_out_of_budget,
        "the number of iterations of loop " + loop.loop + " is too hard to find within the budget",
        "raise the budget with set_budget, or simplify the schedule");
  if (bounded) return;
  throw command.refused(Code::E0106_bad_argument,
                        "the number of iterations of loop " + loop.loop +
                            " has no constant bound, so it cannot be the threads of a block",
                        "split " + loop.loop +
                            " by a number and name its inner loop, as gpu_tile "
                            "does");
}

void tag(Program& program, const std::vector<LoopRef>& loops, Processor processor,
         const Command& command) {
  if (loops.empty()) return;
  const std::vector<Path> paths = chain_named(program, loops, command);
  for (std::size_t n = 0; n < loops.size(); ++n) {
    Loop& loop = node_at(program.mapping, paths[n]).loop();
    if (loop.processor != Processor::sequential) throw tagged_twice(loop, processor, command);
    if (traits(processor).constant_extent)
      require_constant_extent(program, loops[n], paths[n], command);
    set_processor(loop, processor);
  }
}

}  // namespace

void require_free_processor(const Loop& loop, Processor processor, const Command& command) {
  const bool is_taken =
      is_of_launch(loop.processor) || (is_of_ranks(loop.processor) && processor != loop.processor);
  if (is_taken) throw tagged_twice(loop, processor, command);
}

Program with_launch_loops(const Program& program, const std::vector<LoopRef>& blocks,
                          const std::vector<LoopRef>& threads, const Command& command) {
  Program result = program;
  tag(result, blocks, Processor::block, command);
  tag(result, threads, Processor::thread, command);
  return result;
}

}  // namespace strata
