#include "schedule/commands/barrier_at.h"

#include <algorithm>

namespace strata {

Program barrier_at(const Program& program, const LoopRef& loop, Given given) {
  const Command command{"barrier_at", {loop}, given, ""};
  const Path path = loop_named(program, loop, command);
  const auto around = loops_along(program.mapping, path);
  const auto threads = std::find_if(around.begin(), around.end(), [](const Loop* l) {
    return is_concurrent(l->processor);
  });
  if (threads == around.end())
    throw command.refused(
        Code::E0106_bad_argument,
        to_string(loop) +
            " runs on one thread, so the statements before the barrier are done already",
        "leave it out");
  throw command.refused(Code::E0106_bad_argument,
                        "the iterations of the " + to_string((*threads)->processor) + " loop " +
                            (*threads)->name +
                            " need not run at the same time, so one cannot wait for another",
                        "distribute_loop(" + (*threads)->name +
                            ") makes two loops, the first done before the second begins");
}

}  // namespace strata
