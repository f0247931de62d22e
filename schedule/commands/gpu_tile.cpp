#include "schedule/commands/gpu_tile.h"

#include "schedule/edit/judged.h"
#include "schedule/edit/launch.h"
#include "schedule/edit/tiling.h"

namespace strata {

namespace {

Command described(const std::vector<LoopRef>& loops, const std::vector<std::int64_t>& sizes,
                  const std::vector<std::string>& outer, const std::vector<std::string>& inner,
                  Given given) {
  Command command{"gpu_tile",
                  {loops.begin(), loops.end()},
                  given,
                  "a block or a thread needs values that others compute"};
  for (const std::int64_t size : sizes) command.operands.push_back(size);
  for (const std::string& name : outer) command.operands.push_back(name);
  for (const std::string& name : inner) command.operands.push_back(name);
  return command;
}

// References to "count" loops from "outermost" inwards, by the branch that "like" names.
std::vector<LoopRef> references(const Program& program, Path outermost, std::size_t count,
                                const LoopRef& like) {
  std::vector<LoopRef> loops;
  for (std::size_t n = 0; n < count; ++n, outermost.push_back(0))
    loops.push_back({like.definition, node_at(program.mapping, outermost).loop().name, like.piece});
  return loops;
}

}  // namespace

Program gpu_tile(const Program& program, const std::vector<LoopRef>& loops,
                 const std::vector<std::int64_t>& sizes, const std::vector<std::string>& outer,
                 const std::vector<std::string>& inner, Given given) {
  const Command command = described(loops, sizes, outer, inner, given);
  const Tiled tiled =
      with_tiles(program, loops, {sizes.begin(), sizes.end()}, {outer, inner}, command);
  const auto band = references(tiled.program, tiled.outermost, 2 * loops.size(), loops.front());
  const auto middle = band.begin() + std::ptrdiff_t(loops.size());
  return judged(
      program,
      with_launch_loops(tiled.program, {band.begin(), middle}, {middle, band.end()}, command),
      command);
}

}  // namespace strata
