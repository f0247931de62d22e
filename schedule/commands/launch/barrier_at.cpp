#include "schedule/commands/launch/barrier_at.h"

#include <algorithm>

#include "schedule/edit/verified.h"

namespace strata {

namespace {

bool is_thread(const Loop* loop) { return loop->processor == Processor::thread; }

bool has_threads(const Loop& loop) {
  return std::any_of(loop.body.begin(), loop.body.end(), [](const Node& node) {
    return node.is_loop() && (is_thread(&node.loop()) || has_threads(node.loop()));
  });
}

// The loops whose iterations run at the same time, of which a barrier cannot make one wait for
// another: those of a CPU, and the blocks of a launch if they are the innermost here.
const Loop* find_apart(const std::vector<const Loop*>& around) {
  const auto first = std::find_if(around.begin(), around.end(),
                                  [](const Loop* l) { return is_concurrent(l->processor); });
  if (first == around.end()) return nullptr;
  const bool of_cpu = !is_of_launch((*first)->processor);
  return of_cpu || around.back()->processor == Processor::block ? *first : nullptr;
}

void require_all_threads(const std::vector<const Loop*>& around, const LoopRef& loop,
                         const Command& command) {
  if (std::none_of(around.begin(), around.end(),
                   [](const Loop* l) { return is_concurrent(l->processor); }))
    throw command.refused(
        Code::E0106_bad_argument,
        to_string(loop) +
            " runs on one thread, so the statements before the barrier are done already",
        "leave it out");
  if (const Loop* apart = find_apart(around))
    throw command.refused(Code::E0106_bad_argument,
                          "the iterations of the " + to_string(apart->processor) + " loop " +
                              apart->name +
                              " need not run at the same time, so one cannot wait for another",
                          "distribute_loop(" + apart->name +
                              ") makes two loops, the first done before the second begins");
  const auto thread = std::find_if(around.begin(), around.end(), is_thread);
  if (thread != around.end())
    throw command.refused(Code::E0106_bad_argument,
                          to_string(loop) + " runs in one thread of a block, inside of the loop " +
                              (*thread)->name + ", and the others would miss the barrier",
                          "give a loop around " + (*thread)->name);
  if (!has_threads(*around.back()))
    throw command.refused(Code::E0106_bad_argument,
                          "no thread loop is inside of " + to_string(loop) +
                              ", so the first thread of the block runs it alone",
                          "leave it out");
}

}  // namespace

Program barrier_at(const Program& program, const LoopRef& loop, Given given) {
  const Command command{"barrier_at", {loop}, given, ""};
  Program result = program;
  const Path path = loop_named(result, loop, command);
  require_all_threads(loops_along(result.mapping, path), loop, command);

  node_at(result.mapping, path).loop().barrier = true;

  return verified(program, std::move(result), command);
}

}  // namespace strata
