#include "schedule/commands/loops/split.h"

#include "schedule/edit/band.h"
#include "schedule/edit/parametric.h"
#include "schedule/edit/verified.h"

namespace strata {

Program split(const Program& program, const LoopRef& loop, const TileSize& size,
              const std::string& outer, const std::string& inner, Given given) {
  Command command{"split",
                  {loop, size},
                  given,
                  "splitting " + loop.loop + " would read a value before it is computed"};
  if (!outer.empty() || !inner.empty())
    command.operands.insert(command.operands.end(), {outer, inner});
  require_sizes(program, {size}, "the size", command);
  Program result = with_positive_sizes(program, {size}, command);
  const Path path = loop_named(result, loop, command);
  require_known_tiles(result, path, 1, "split", command);
  const auto names = new_names(result, path, {{outer, loop.loop}, {inner, loop.loop + "_in"}},
                               {loop.loop}, command);

  strip_mine(result.mapping, path, size, names[0], names[1]);

  return verified(program, std::move(result), command);
}

Path strip_mine(Mapping& mapping, const Path& path, const TileSize& size, const std::string& outer,
                const std::string& inner) {
  const LoopHead whole = loops_of_band(mapping, path, 1).front();
  const isl::ctx ctx = branches(mapping).front().branch->time.ctx();
  rewrite_band(mapping, path, 1, {over_strips(whole, outer, size), in_strip(whole, inner)},
               strips(ctx, {size}));
  Path inner_path = path;
  inner_path.push_back(0);
  return inner_path;
}

}  // namespace strata
