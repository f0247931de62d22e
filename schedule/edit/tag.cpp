#include "schedule/edit/tag.h"

#include "schedule/commands/loops/split.h"
#include "schedule/edit/launch.h"
#include "schedule/edit/parametric.h"
#include "schedule/edit/verified.h"
#include "schedule/legality/extent.h"

namespace strata {

Program tag_whole(const Program& program, const LoopRef& loop, Processor processor,
                  const Command& command) {
  Program result = program;
  const Path path = loop_named(result, loop, command);
  require_free_processor(node_at(result.mapping, path).loop(), processor, command);
  require_known_tiles(result, path, 1, to_string(processor), command);
  if (!has_constant_extent(result, path))
    throw command.refused(
        Code::E0106_bad_argument,
        "the number of iterations of loop " + loop.loop + " has no constant bound",
        "give a size: " + command.name + "(" + to_string(loop) + ", 8)");

  set_processor(node_at(result.mapping, path).loop(), processor);

  return verified(program, std::move(result), command);
}

Program tag_strips(const Program& program, const LoopRef& loop, std::int64_t size,
                   const std::string& outer, const std::string& inner, const std::string& suffix,
                   Processor processor, const Command& command) {
  Program result = program;
  const Path path = loop_named(result, loop, command);
  require_known_tiles(result, path, 1, "split", command);
  const auto names = new_names(result, path, {{outer, loop.loop}, {inner, loop.loop + suffix}},
                               {loop.loop}, command);

  const Processor tag = node_at(result.mapping, path).loop().processor;
  const Path strip = strip_mine(result.mapping, path, size, names[0], names[1]);
  set_processor(node_at(result.mapping, path).loop(), has_lanes(tag) ? Processor::sequential : tag);
  set_processor(node_at(result.mapping, strip).loop(), processor);

  return verified(program, std::move(result), command);
}

}  // namespace strata
