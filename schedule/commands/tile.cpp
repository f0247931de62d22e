#include "schedule/commands/tile.h"

#include <fmt/format.h>

#include "schedule/band.h"
#include "schedule/parametric.h"

namespace strata {

namespace {

Command described(const std::vector<LoopRef>& loops, const std::vector<TileSize>& sizes,
                  const std::vector<std::string>& outer, const std::vector<std::string>& inner,
                  Given given) {
  Command command{
      "tile", {}, given, "running tile after tile would run a reader before the value it reads"};
  for (const LoopRef& loop : loops) command.operands.push_back(to_string(loop));
  for (const TileSize& size : sizes) command.operands.push_back(to_string(size));
  for (const std::string& name : outer) command.operands.push_back(name);
  for (const std::string& name : inner) command.operands.push_back(name);
  return command;
}

void require_lengths(std::size_t loops, const std::vector<TileSize>& sizes,
                     const std::vector<std::string>& outer, const std::vector<std::string>& inner,
                     const Command& command) {
  if (loops < 2)
    throw command.refused(Code::E0106_bad_argument, "tile takes two loops or more",
                          "split works on one loop");
  if (sizes.size() != loops)
    throw command.refused(Code::E0106_bad_argument,
                          fmt::format("{} loops are named and {} sizes", loops, sizes.size()),
                          "give one size for each loop");
  for (const auto& names : {outer, inner})
    if (!names.empty() && names.size() != loops)
      throw command.refused(Code::E0106_bad_argument,
                            fmt::format("{} loops are tiled, but {} names are given for the new "
                                        "outer or inner ones",
                                        loops, names.size()),
                            "give one name for each loop, or none");
}

// The loops of the tiled band: i0 j0 i1 j1.
std::vector<Loop> tiled(const std::vector<Loop>& band, const std::vector<TileSize>& sizes,
                        const std::vector<std::string>& names) {
  std::vector<Loop> loops;
  for (const bool inside : {false, true})
    for (const Loop& loop : band) {
      const bool tag_inside =
          loop.processor == Processor::vector || loop.processor == Processor::unrolled;
      loops.push_back(
          {names[loops.size()], tag_inside == inside ? loop.processor : Processor::sequential, {}});
    }
  for (std::size_t n = 0; n < band.size(); ++n)
    if (sizes[n].is_parameter()) loops[n].tile_size = sizes[n].parameter();
  return loops;
}

}  // namespace

Program tile(const Program& program, const std::vector<LoopRef>& loops,
             const std::vector<TileSize>& sizes, const std::vector<std::string>& outer,
             const std::vector<std::string>& inner, Given given) {
  const Command command = described(loops, sizes, outer, inner, given);
  const int count = int(loops.size());
  require_lengths(loops.size(), sizes, outer, inner, command);
  require_sizes(program, sizes, "a tile size", command);
  Program result = with_positive_sizes(program, sizes, command);
  const Path path = band_named(result, loops, command);
  require_known_tiles(result, path, count, "tiled", command);
  std::vector<NewLoop> wanted;
  std::vector<std::string> replaced;
  for (int n = 0; n < count; ++n) {
    wanted.push_back({outer.empty() ? "" : outer[n], loops[n].loop});
    replaced.push_back(loops[n].loop);
  }
  for (int n = 0; n < count; ++n)
    wanted.push_back({inner.empty() ? "" : inner[n], loops[n].loop + "_in"});
  const auto names = new_names(result, path, wanted, replaced, command);

  rewrite_band(result.mapping, path, count,
               tiled(loops_of_band(result.mapping, path, count), sizes, names),
               strips(result.session->isl(), sizes));

  return judged(program, std::move(result), command);
}

}  // namespace strata
