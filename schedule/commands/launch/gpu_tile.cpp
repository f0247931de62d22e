#include "schedule/commands/launch/gpu_tile.h"

#include "schedule/edit/launch.h"
#include "schedule/edit/tiling.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

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
  const std::vector<TileSize> whole(sizes.begin(), sizes.end());
  const TileNames names{outer, inner};
  const Command command =
      tiling_command("gpu_tile", "a block or a thread needs values that others compute", loops,
                     whole, names, given);
  const Tiled tiled = with_tiles(program, loops, whole, names, command);
  const auto band = references(tiled.program, tiled.outermost, 2 * loops.size(), loops.front());
  const auto middle = band.begin() + std::ptrdiff_t(loops.size());
  return verified(
      program,
      with_launch_loops(tiled.program, {band.begin(), middle}, {middle, band.end()}, command),
      command);
}

}  // namespace strata
