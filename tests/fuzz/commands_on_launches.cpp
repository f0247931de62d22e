// Commands on the loops of launches on a GPU.
#include <algorithm>

#include "tests/fuzz/draw.h"

namespace strata::fuzz {

namespace {

// One to three loops in one launch.
std::optional<Command> draw_gpu_tile(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const auto loops = draw.band(*site, std::size_t(draw.chance(40) ? 1 : draw.between(2, 3)));
  Command command{"gpu_tile", {loops.begin(), loops.end()}};
  for (std::size_t n = 0; n < loops.size(); ++n) command.operands.push_back(draw.between(1, 3));
  return command;
}

// The loops around a branch, at level "from" or further in, that split and tile name by default:
// they have a constant extent, unless the size of the tiles is a parameter.
std::vector<LoopRef> bounded_loops(const Placed& placed, std::size_t from) {
  std::vector<LoopRef> bounded;
  for (std::size_t level = from; level < placed.loops.size(); ++level) {
    const Loop& loop = *placed.loops[level];
    if (loop.processor == Processor::sequential && !loop.tile_size &&
        loop.name.find("_in") != std::string::npos)
      bounded.push_back({placed.branch->definition, loop.name, placed.branch->piece});
  }
  return bounded;
}

// A loop inside of blocks, usually of a constant extent.
std::optional<Command> draw_gpu_threads(Draw& draw) {
  std::vector<LoopRef> all;
  for (const Placed& placed : branches(draw.program().mapping)) {
    const auto& loops = placed.loops;
    const auto block = std::find_if(loops.rbegin(), loops.rend(), [](const Loop* loop) {
      return loop->processor == Processor::block;
    });
    if (block == loops.rend()) continue;
    for (const LoopRef& loop : bounded_loops(placed, std::size_t(loops.rend() - block)))
      all.push_back(loop);
  }
  if (!all.empty()) return Command{"gpu_threads", {draw.one_of(all)}};
  const auto site = draw.site();
  if (!site || draw.chance(98)) return std::nullopt;
  return Command{"gpu_threads", {draw.inner_loop(*site)}};
}

// The pairs of a loop and one inside of it, of a constant extent, where no loop around has a tag.
std::vector<std::pair<LoopRef, LoopRef>> blocks_and_threads(const Draw& draw) {
  std::vector<std::pair<LoopRef, LoopRef>> pairs;
  for (const Placed& placed : branches(draw.program().mapping))
    for (std::size_t level = 0; level < placed.loops.size(); ++level) {
      const Loop& loop = *placed.loops[level];
      if (loop.processor != Processor::sequential) break;
      for (const LoopRef& thread : bounded_loops(placed, level + 1))
        pairs.push_back({{placed.branch->definition, loop.name, placed.branch->piece}, thread});
    }
  return pairs;
}

// Makes a loop that can be threads.
std::optional<Command> draw_split_for_threads(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  return Command{"split", {draw.loop(*site), draw.between(1, 4)}};
}

std::optional<Command> draw_gpu(Draw& draw) {
  const auto pairs = blocks_and_threads(draw);
  if (pairs.empty()) return std::nullopt;
  const auto [block, thread] = draw.one_of(pairs);
  return Command{"gpu", {block, thread}};
}

// Often around a loop that can be threads.
std::optional<Command> draw_gpu_blocks(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const auto pairs = blocks_and_threads(draw);
  if (!pairs.empty() && draw.chance(70)) return Command{"gpu_blocks", {draw.one_of(pairs).first}};
  const auto loops = draw.band(*site, std::size_t(draw.chance(70) ? 1 : 2));
  return Command{"gpu_blocks", {loops.begin(), loops.end()}};
}

}  // namespace

std::vector<CommandKind> commands_on_launches() {
  return {{"split", 45, draw_split_for_threads},
          {"gpu_tile", 35, draw_gpu_tile},
          {"gpu_blocks", 40, draw_gpu_blocks},
          {"gpu_threads", 900, draw_gpu_threads},
          {"gpu", 90, draw_gpu}};
}

}  // namespace strata::fuzz
