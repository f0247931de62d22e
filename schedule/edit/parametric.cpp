#include "schedule/edit/parametric.h"

#include <fmt/format.h>

#include <algorithm>

#include "layers/define/build.h"
#include "layers/verify/verify_algorithm.h"

namespace strata {

void require_sizes(const Program& program, const std::vector<TileSize>& sizes,
                   const std::string& what, const Command& command) {
  const auto& known = program.algorithm->parameters;
  for (const TileSize& size : sizes) {
    if (!size.is_parameter())
      require_positive(size.number(), what, command);
    else if (std::find(known.begin(), known.end(), size.parameter()) == known.end())
      throw command.refused(Code::E0101_unknown_computation,
                            "the program has no parameter " + size.parameter(),
                            "declare it with param(\"" + size.parameter() + "\") on this function");
    else
      verify_handles(*program.algorithm, parameter(size.parameter(), size.owner()), what,
                     {command.text(), command.given.where});
  }
}

Program with_positive_sizes(const Program& program, const std::vector<TileSize>& sizes,
                            const Command& command) {
  Program result = program;
  for (const TileSize& size : sizes) {
    if (!size.is_parameter()) continue;
    const Expr positive = parameter(size.parameter()) >= 1;
    const auto& known = result.algorithm->assumed;
    if (std::none_of(known.begin(), known.end(),
                     [&](const Expr& condition) { return same(condition, positive); }))
      result = with_assumption(result, positive, {command.text(), command.given.where});
  }
  return result;
}

void require_known_tiles(const Program& program, const Path& path, int count,
                         const std::string& action, const Command& command) {
  const Node* node = &node_at(program.mapping, path);
  for (int n = 0; n < count; ++n) {
    const Loop& loop = node->loop();
    if (loop.tile_size)
      throw command.refused(
          Code::E0106_bad_argument,
          fmt::format("loop {} steps over tiles whose size {} is not known at compile time, and "
                      "cannot be {}",
                      loop.name, *loop.tile_size, action),
          "do this before the tiling or to the loops inside a tile, or give tile a constant size");
    node = &loop.body.front();
  }
}

}  // namespace strata
