#include "schedule/commands/guard.h"
#include "schedule/commands/interchange.h"
#include "schedule/commands/mask.h"
#include "schedule/commands/parallelize.h"
#include "schedule/commands/reverse.h"
#include "schedule/commands/rfactor.h"
#include "schedule/commands/separate.h"
#include "schedule/commands/shift.h"
#include "schedule/commands/skew.h"
#include "schedule/commands/split.h"
#include "schedule/commands/tile.h"
#include "schedule/commands/unroll.h"
#include "schedule/commands/vectorize.h"
#include "tests/fuzz/draw.h"

namespace strata::fuzz {

namespace {

using Given = strata::Given;

DrawnCommand made(Give give) { return {"", std::move(give)}; }

std::optional<DrawnCommand> draw_split(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.loop(*site);
  const std::int64_t size = draw.between(1, 4);
  return made([=](const Program& p, const Given& given) {
    return split(p, loop, size, "", "", given);
  });
}

std::optional<DrawnCommand> draw_tile(Draw& draw) {
  const auto site = draw.site();
  if (!site || site->loops.size() < 2) return std::nullopt;
  const auto loops = draw.band(*site, std::size_t(draw.chance(20) ? 3 : 2));
  std::vector<TileSize> sizes;
  for (std::size_t n = 0; n < loops.size(); ++n) sizes.emplace_back(draw.between(1, 3));
  return made([=](const Program& p, const Given& given) {
    return tile(p, loops, sizes, {}, {}, given);
  });
}

std::optional<DrawnCommand> draw_parametric_tile(Draw& draw) {
  const auto site = draw.site();
  if (!site || !draw.has_tile_sizes()) return std::nullopt;
  const auto loops = draw.band(*site, 2);
  const Param size("T"), other("U");
  if (loops.size() < 2 || draw.chance(40))
    return made([=](const Program& p, const Given& given) {
      return split(p, loops.front(), size, "", "", given);
    });
  return made([=](const Program& p, const Given& given) {
    return tile(p, loops, {size, other}, {}, {}, given);
  });
}

std::optional<DrawnCommand> draw_interchange(Draw& draw) {
  const auto site = draw.site();
  if (!site || site->loops.size() < 2) return std::nullopt;
  const auto loops = draw.band(*site, draw.chance(30) ? 3 : 2);
  return made([=](const Program& p, const Given& given) {
    return interchange(p, loops.front(), loops.back(), given);
  });
}

std::optional<DrawnCommand> draw_reverse(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.loop(*site);
  return made([=](const Program& p, const Given& given) { return reverse(p, loop, given); });
}

std::optional<DrawnCommand> draw_skew(Draw& draw) {
  const auto site = draw.site();
  if (!site || site->loops.size() < 2) return std::nullopt;
  const auto loops = draw.band(*site, 2);
  const std::int64_t a = 1, b = draw.between(-1, 2);
  if (draw.chance(40)) {
    const SkewFactors factors = draw.one_of(
        std::vector<SkewFactors>{{1, 0, 1, 1}, {1, 0, 2, 1}, {0, 1, 1, 1}, {1, 1, 1, 2}});
    return made([=](const Program& p, const Given& given) {
      return skew(p, loops[0], loops[1], factors, {}, given);
    });
  }
  return made([=](const Program& p, const Given& given) {
    return skew(p, loops[0], loops[1], a, b, std::vector<std::string>{}, given);
  });
}

std::optional<DrawnCommand> draw_shift(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.loop(*site);
  const Expr constant(draw.between(-2, 2));
  const Expr amount = draw.chance(20) ? constant + parameter("N") : constant;
  return made([=](const Program& p, const Given& given) { return shift(p, loop, amount, given); });
}

std::optional<DrawnCommand> draw_unroll(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.inner_loop(*site);
  const std::int64_t factor = draw.between(1, 3);
  if (draw.chance(30))
    return made([=](const Program& p, const Given& given) { return unroll(p, loop, given); });
  return made([=](const Program& p, const Given& given) {
    return unroll(p, loop, factor, "", "", given);
  });
}

std::optional<DrawnCommand> draw_vectorize(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.inner_loop(*site);
  const std::int64_t lanes = draw.between(2, 4);
  if (draw.chance(35))
    return made([=](const Program& p, const Given& given) { return vectorize(p, loop, given); });
  return made([=](const Program& p, const Given& given) {
    return vectorize(p, loop, lanes, "", "", given);
  });
}

std::optional<DrawnCommand> draw_parallelize(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.loop(*site);
  return made([=](const Program& p, const Given& given) { return parallelize(p, loop, given); });
}

// A loop of one of the reductions there are.
std::optional<LoopRef> loop_of_reduction(Draw& draw) {
  const auto reductions = draw.reductions();
  if (reductions.empty()) return std::nullopt;
  const std::string& name = draw.one_of(reductions)->name;
  const auto placed = branches_of(draw.program().mapping, name);
  if (placed.empty() || placed.front().loops.empty()) return std::nullopt;
  const auto& loops = placed.front().loops;
  return LoopRef{name, draw.chance(70) ? loops.back()->name : draw.one_of(loops)->name};
}

std::optional<DrawnCommand> draw_rfactor(Draw& draw) {
  const auto loop = loop_of_reduction(draw);
  if (!loop) return std::nullopt;
  const std::string part = "P" + std::to_string(draw.program().algorithm->definitions.size());
  return made([=](const Program& p, const Given& given) { return rfactor(p, *loop, part, given); });
}

template <Program (*choose)(const Program&, const LoopRef&, Given)>
std::optional<DrawnCommand> draw_border(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.inner_loop(*site);
  return made([=](const Program& p, const Given& given) { return choose(p, loop, given); });
}

std::optional<DrawnCommand> draw_mask(Draw& draw) {
  std::vector<LoopRef> vectors;
  for (const Placed& placed : branches(draw.program().mapping))
    for (const Loop* loop : placed.loops)
      if (loop->processor == Processor::vector)
        vectors.push_back({placed.branch->definition, loop->name});
  if (vectors.empty()) return std::nullopt;
  const LoopRef loop = draw.one_of(vectors);
  return made([=](const Program& p, const Given& given) { return mask(p, loop, given); });
}

}  // namespace

std::vector<CommandKind> commands_on_loops() {
  return {{"split", 2, draw_split},
          {"tile", 5, draw_tile},
          {"tile by parameters", 14, draw_parametric_tile},
          {"interchange", 6, draw_interchange},
          {"reverse", 4, draw_reverse},
          {"skew", 3, draw_skew},
          {"shift", 2, draw_shift},
          {"unroll", 2, draw_unroll},
          {"vectorize", 13, draw_vectorize},
          {"parallelize", 16, draw_parallelize},
          {"rfactor", 3, draw_rfactor},
          {"separate", 1, draw_border<separate>},
          {"guard", 1, draw_border<guard>},
          {"mask", 10, draw_mask}};
}

}  // namespace strata::fuzz
