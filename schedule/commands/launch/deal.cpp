#include "schedule/commands/launch/deal.h"

#include <algorithm>
#include <limits>

#include "layers/flow/initial_values.h"
#include "schedule/edit/cooperative.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

// The most steps that are unrolled, each under its own condition: then their loads do not wait for
// each other, and no thread computes how many of them it has.
constexpr std::int64_t most_unrolled = 8;

std::int64_t product(const std::vector<std::int64_t>& factors) {
  std::int64_t all = 1;
  for (const std::int64_t factor : factors)
    if (__builtin_mul_overflow(all, factor, &all)) return std::numeric_limits<std::int64_t>::max();
  return all;
}

// The neighbouring loops named, and the order in which they are named: positions from outermost.
struct Dealt {
  Path outermost;
  std::vector<int> order;
};

Dealt loops_named(const Program& program, const std::vector<LoopRef>& loops,
                  const Command& command) {
  const std::vector<Path> paths = chain_named(program, loops, command);
  const auto outermost = *std::min_element(
      paths.begin(), paths.end(), [](const Path& a, const Path& b) { return a.size() < b.size(); });
  Dealt named{outermost, {}};
  for (const Path& path : paths) {
    named.order.push_back(int(path.size() - outermost.size()));
    if (named.order.back() >= int(paths.size()))
      throw command.refused(Code::E0106_bad_argument, "other loops stand between the loops named",
                            "name neighbouring loops, in any order");
  }
  return named;
}

void require_plain(const Program& program, const Path& outermost, std::size_t count,
                   const Command& command) {
  Path path = outermost;
  for (std::size_t n = 0; n < count; ++n, path.push_back(0)) {
    const Loop& loop = node_at(program.mapping, path).loop();
    if (loop.processor != Processor::sequential)
      throw command.refused(Code::E0106_bad_argument,
                            "loop " + loop.name + " is " + to_string(loop.processor) + " already",
                            "deal out sequential loops; a vector loop can stay inside of them");
    if (loop.tile_size)
      throw command.refused(Code::E0106_bad_argument,
                            "loop " + loop.name + " steps over tiles of size " + *loop.tile_size +
                                ", which is a parameter",
                            "give split or tile a number");
  }
}

std::vector<std::int64_t> threads_for(const Program& program, const Path& outermost,
                                      const Command& command) {
  const std::string loop = node_at(program.mapping, outermost).loop().name;
  const auto launch = launch_around(program.mapping, outermost);
  if (!launch)
    throw command.refused(Code::E0106_bad_argument, "loop " + loop + " is in no block",
                          "place its computation in one with compute_at");
  for (const Loop* around : loops_along(program.mapping, outermost))
    if (around->processor == Processor::thread)
      throw command.refused(Code::E0106_bad_argument,
                            "loop " + loop + " is inside of the thread loop " + around->name +
                                ", so one thread runs all of its iterations",
                            "place its computation in a loop outside of the threads");
  const auto threads = threads_of_block(program, *launch);
  if (threads.empty())
    throw command.refused(Code::E0106_bad_argument,
                          "the block around loop " + loop + " has no threads",
                          "use gpu_threads or gpu_tile for the computation that reads it first");
  return threads;
}

std::vector<LoopHead> heads(const Program& program, const Path& outermost, std::size_t count,
                            std::size_t axes, std::int64_t steps, const Command& command) {
  std::vector<std::string> replaced;
  for (const LoopHead& head : loops_of_band(program.mapping, outermost, int(count)))
    replaced.push_back(head.name);
  std::vector<NewLoop> wanted;
  for (std::size_t axis = axes; axis-- > 0;)
    wanted.push_back({"", std::string("thread_") + "xyz"[axis]});
  wanted.push_back({"", "step"});
  std::vector<LoopHead> loops;
  for (const std::string& name : new_names(program, outermost, wanted, replaced, command)) {
    LoopHead head;
    head.name = name;
    const bool is_step = loops.size() == axes;
    if (!is_step) set_processor(head, Processor::thread);
    if (is_step && steps <= most_unrolled) set_processor(head, Processor::unrolled);
    loops.push_back(head);
  }
  return loops;
}

Program with_dealt(const Program& program, const Dealt& named, const Command& command) {
  const std::size_t count = named.order.size();
  require_plain(program, named.outermost, count, command);
  const auto threads = threads_for(program, named.outermost, command);
  const auto box = iteration_box(program, named.outermost, int(count));
  if (!box)
    throw command.refused(Code::E0106_bad_argument,
                          "the iterations to deal out have no box of constant size around them",
                          "tile or split the loops of what reads them by numbers");
  const std::int64_t steps = (product(box->widths) - 1) / product(threads) + 1;
  Program result = program;
  widen(result, named.outermost, *box);
  rewrite_band(result.mapping, named.outermost, int(count),
               heads(program, named.outermost, count, threads.size(), steps, command),
               cooperative_mapping(*box, named.order, threads), int(named.outermost.size()) - 1);
  return verified(program, std::move(result), command);
}

Command described(std::vector<CommandOperand> operands, Given given) {
  return {"deal", std::move(operands), given, "a thread needs values that other threads compute"};
}

}  // namespace

Program deal(const Program& program, const std::vector<LoopRef>& loops, Given given) {
  const Command command = described({loops.begin(), loops.end()}, given);
  return with_dealt(program, loops_named(program, loops, command), command);
}

Program deal_own_loops(const Program& program, const std::string& computation, Given given) {
  Command command = described({}, given);
  const Definition& d = definition_named(program, computation, command);
  const Placed placed = whole_named(program, computation, command);
  const auto own = std::size_t(placed.branch->reader_loops);
  const std::vector<bool> results =
      d.reduction ? result_levels(d, placed) : std::vector<bool>(placed.loops.size(), true);
  std::size_t count = 0;
  Path path = prefix(placed.path, own + 1);
  for (; own + count < placed.loops.size() && results[own + count]; ++count, path.push_back(0)) {
    const Loop& loop = *placed.loops[own + count];
    if (loop.processor != Processor::sequential) break;
    if (loop.body.size() > 1) {
      ++count;
      break;
    }
  }
  if (count == 0)
    throw command.refused(Code::E0106_bad_argument,
                          computation + " has no sequential loop over its results to deal out",
                          "deal out loops of a computation in a block");
  const Dealt named{prefix(placed.path, own + 1),
                    dense_last(program, placed, int(own), int(count))};
  for (const int n : named.order)
    command.operands.push_back(
        LoopRef{computation, placed.loops[own + std::size_t(n)]->name, placed.branch->piece});
  return with_dealt(program, named, command);
}

}  // namespace strata
