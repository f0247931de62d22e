#include "schedule/edit/tiling.h"

#include <fmt/format.h>

#include "schedule/edit/band.h"
#include "schedule/edit/parametric.h"

namespace strata {

namespace {

void require_lengths(std::size_t loops, const std::vector<TileSize>& sizes, const TileNames& names,
                     const Command& command) {
  if (sizes.size() != loops)
    throw command.refused(
        Code::E0106_bad_argument,
        fmt::format("{} loops are named, but {} sizes are given", loops, sizes.size()),
        "give one size for each loop");
  for (const auto& list : {names.outer, names.inner})
    if (!list.empty() && list.size() != loops)
      throw command.refused(Code::E0106_bad_argument,
                            fmt::format("{} loops are tiled, but {} names are given for the new "
                                        "outer or inner ones",
                                        loops, list.size()),
                            "give one name for each loop, or none");
}

// The loops of the tiled band: i0 j0 i1 j1.
std::vector<LoopHead> tiled_band(const std::vector<LoopHead>& band,
                                 const std::vector<TileSize>& sizes,
                                 const std::vector<std::string>& names) {
  const std::size_t count = band.size();
  std::vector<LoopHead> loops;
  for (std::size_t n = 0; n < count; ++n) loops.push_back(over_strips(band[n], names[n], sizes[n]));
  for (std::size_t n = 0; n < count; ++n) loops.push_back(in_strip(band[n], names[count + n]));
  return loops;
}

std::vector<std::string> names_of_tiles(const Program& program, const Path& path,
                                        const std::vector<LoopRef>& loops, const TileNames& names,
                                        const Command& command) {
  std::vector<NewLoop> wanted;
  std::vector<std::string> replaced;
  for (std::size_t n = 0; n < loops.size(); ++n) {
    wanted.push_back({names.outer.empty() ? "" : names.outer[n], loops[n].loop});
    replaced.push_back(loops[n].loop);
  }
  for (std::size_t n = 0; n < loops.size(); ++n)
    wanted.push_back({names.inner.empty() ? "" : names.inner[n], loops[n].loop + "_in"});
  return new_names(program, path, wanted, replaced, command);
}

}  // namespace

Command tiling_command(const std::string& name, const std::string& consequence,
                       const std::vector<LoopRef>& loops, const std::vector<TileSize>& sizes,
                       const TileNames& names, const Given& given) {
  Command command{name, {loops.begin(), loops.end()}, given, consequence};
  const auto add = [&](const auto& list) {
    command.operands.insert(command.operands.end(), list.begin(), list.end());
  };
  add(sizes);
  add(names.outer);
  add(names.inner);
  return command;
}

Tiled with_tiles(const Program& program, const std::vector<LoopRef>& loops,
                 const std::vector<TileSize>& sizes, const TileNames& names,
                 const Command& command) {
  const int count = int(loops.size());
  require_lengths(loops.size(), sizes, names, command);
  require_sizes(program, sizes, "a tile size", command);
  Program result = with_positive_sizes(program, sizes, command);
  const Path path = band_named(result, loops, command);
  require_known_tiles(result, path, count, "tiled", command);
  const auto all = names_of_tiles(result, path, loops, names, command);
  rewrite_band(result.mapping, path, count,
               tiled_band(loops_of_band(result.mapping, path, count), sizes, all),
               strips(result.session->isl(), sizes));
  return {std::move(result), path};
}

}  // namespace strata
