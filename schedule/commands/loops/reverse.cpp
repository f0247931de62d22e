#include "schedule/commands/loops/reverse.h"

#include "schedule/edit/band.h"
#include "schedule/edit/parametric.h"
#include "schedule/edit/verified.h"

namespace strata {

Program reverse(const Program& program, const LoopRef& loop, Given given) {
  const Command command{
      "reverse",
      {loop},
      given,
      "running " + loop.loop + " backwards would read a value before it is computed"};
  Program result = program;
  const Path path = loop_named(result, loop, command);
  require_known_tiles(result, path, 1, "reversed", command);

  const auto t = band_iterators(result.session->isl(), 1);
  rewrite_band(result.mapping, path, 1, loops_of_band(result.mapping, path, 1),
               band_map(t, {t.at(0).neg()}));

  return verified(program, std::move(result), command);
}

}  // namespace strata
