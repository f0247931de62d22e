#include "schedule/commands/loops/skew.h"
#include "schedule/legality/extent.h"
#include "tests/fuzz/draw.h"

namespace strata::fuzz {

namespace {

std::optional<Command> draw_split(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.loop(*site);
  const std::int64_t size = draw.between(1, 4);
  return Command{"split", {loop, size}};
}

std::optional<Command> draw_tile(Draw& draw) {
  const auto site = draw.site();
  if (!site || site->loops.size() < 2) return std::nullopt;
  const auto loops = draw.band(*site, std::size_t(draw.chance(20) ? 3 : 2));
  Command command{"tile", {loops.begin(), loops.end()}};
  for (std::size_t n = 0; n < loops.size(); ++n) command.operands.push_back(draw.between(1, 3));
  return command;
}

std::optional<Command> draw_parametric_tile(Draw& draw) {
  const auto site = draw.site();
  if (!site || !draw.has_tile_sizes()) return std::nullopt;
  const auto loops = draw.band(*site, 2);
  const TileSize size(Param("T")), other(Param("U"));
  if (loops.size() < 2 || draw.chance(40)) return Command{"split", {loops.front(), size}};
  return Command{"tile", {loops[0], loops[1], size, other}};
}

std::optional<Command> draw_peel(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.loop(*site);
  const std::int64_t n = draw.between(1, 3) * (draw.chance(40) ? -1 : 1);
  if (draw.chance(20)) return Command{"peel", {loop, n, "part"}};
  return Command{"peel", {loop, n}};
}

std::optional<Command> draw_interchange(Draw& draw) {
  const auto site = draw.site();
  if (!site || site->loops.size() < 2) return std::nullopt;
  const auto loops = draw.band(*site, draw.chance(30) ? 3 : 2);
  return Command{"interchange", {loops.front(), loops.back()}};
}

// Loops around one branch, in any order; drawn in place of some interchanges (draw_command).
std::optional<Command> draw_reorder(Draw& draw) {
  const auto site = draw.site();
  if (!site || site->loops.size() < 2) return std::nullopt;
  const auto count = std::size_t(draw.between(2, std::int64_t(site->loops.size())));
  auto loops = draw.band(*site, count);
  for (std::size_t n = loops.size() - 1; n > 0; --n)
    std::swap(loops[n], loops[std::size_t(draw.between(0, std::int64_t(n)))]);
  return Command{"reorder", {loops.begin(), loops.end()}};
}

// Adjacent loops of which the inner one has constant bounds, or now and then any.
std::optional<Command> draw_collapse(Draw& draw) {
  const bool any = draw.chance(5);
  std::vector<std::pair<LoopRef, LoopRef>> pairs;
  for (const Placed& placed : branches(draw.program().mapping))
    for (std::size_t n = 0; n + 1 < placed.loops.size(); ++n) {
      const Loop &outer = *placed.loops[n], &inner = *placed.loops[n + 1];
      const bool apart = outer.body.size() != 1 || outer.processor != inner.processor ||
                         outer.tile_size || inner.tile_size;
      if (!any && (apart || !range_of_iterations(draw.program(), prefix(placed.path, n + 2))))
        continue;
      const auto named = [&](const Loop& loop) {
        return LoopRef{placed.branch->definition, loop.name, placed.branch->piece};
      };
      pairs.emplace_back(named(outer), named(inner));
    }
  if (pairs.empty()) return std::nullopt;
  const auto& [outer, inner] = draw.one_of(pairs);
  if (draw.chance(30)) return Command{"collapse", {outer, inner, "both"}};
  return Command{"collapse", {outer, inner}};
}

std::optional<Command> draw_reverse(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.loop(*site);
  return Command{"reverse", {loop}};
}

std::optional<Command> draw_skew(Draw& draw) {
  const auto site = draw.site();
  if (!site || site->loops.size() < 2) return std::nullopt;
  const auto loops = draw.band(*site, 2);
  const std::int64_t a = 1, b = draw.between(-1, 2);
  if (draw.chance(40)) {
    const SkewFactors f = draw.one_of(
        std::vector<SkewFactors>{{1, 0, 1, 1}, {1, 0, 2, 1}, {0, 1, 1, 1}, {1, 1, 1, 2}});
    return Command{"skew", {loops[0], loops[1], f.a, f.b, f.c, f.d}};
  }
  return Command{"skew", {loops[0], loops[1], a, b}};
}

std::optional<Command> draw_shift(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.loop(*site);
  const Expr constant(draw.between(-2, 2));
  const Expr amount = draw.chance(20) ? constant + parameter("N") : constant;
  return Command{"shift", {loop, amount}};
}

std::optional<Command> draw_unroll(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.inner_loop(*site);
  const std::int64_t factor = draw.between(1, 3);
  if (draw.chance(30)) return Command{"unroll", {loop}};
  return Command{"unroll", {loop, factor}};
}

std::optional<Command> draw_vectorize(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.inner_loop(*site);
  const std::int64_t lanes = draw.between(2, 4);
  if (draw.chance(35)) return Command{"vectorize", {loop}};
  return Command{"vectorize", {loop, lanes}};
}

std::optional<Command> draw_parallelize(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.loop(*site);
  return Command{"parallelize", {loop}};
}

// A loop of a random reduction.
std::optional<LoopRef> loop_of_reduction(Draw& draw) {
  const auto reductions = draw.reductions();
  if (reductions.empty()) return std::nullopt;
  const std::string& name = draw.one_of(reductions)->name;
  const auto placed = branches_of(draw.program().mapping, name);
  if (placed.empty() || placed.front().loops.empty()) return std::nullopt;
  const auto& loops = placed.front().loops;
  return LoopRef{name, draw.chance(70) ? loops.back()->name : draw.one_of(loops)->name};
}

std::optional<Command> draw_rfactor(Draw& draw) {
  const auto loop = loop_of_reduction(draw);
  if (!loop) return std::nullopt;
  const std::string part = "P" + std::to_string(draw.program().algorithm->definitions.size());
  return Command{"rfactor", {*loop, part}};
}

std::optional<Command> draw_tail(Draw& draw, const std::string& tail) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const LoopRef loop = draw.inner_loop(*site);
  return Command{tail, {loop}};
}

std::optional<Command> draw_mask(Draw& draw) {
  std::vector<LoopRef> vectors;
  for (const Placed& placed : branches(draw.program().mapping))
    for (const Loop* loop : placed.loops)
      if (loop->processor == Processor::vector)
        vectors.push_back({placed.branch->definition, loop->name, placed.branch->piece});
  if (vectors.empty()) return std::nullopt;
  const LoopRef loop = draw.one_of(vectors);
  return Command{"mask", {loop}};
}

}  // namespace

std::vector<CommandKind> commands_on_loops() {
  return {{"split", 2, draw_split},
          {"tile", 5, draw_tile},
          {"tile by parameters", 14, draw_parametric_tile},
          {"peel", 2, draw_peel},
          {"interchange", 6, draw_interchange},
          {"reorder", 0, draw_reorder},
          {"collapse", 4, draw_collapse},
          {"reverse", 4, draw_reverse},
          {"skew", 3, draw_skew},
          {"shift", 2, draw_shift},
          {"unroll", 2, draw_unroll},
          {"vectorize", 13, draw_vectorize},
          {"parallelize", 16, draw_parallelize},
          {"rfactor", 3, draw_rfactor},
          {"separate", 2, [](Draw& draw) { return draw_tail(draw, "separate"); }},
          {"guard", 2, [](Draw& draw) { return draw_tail(draw, "guard"); }},
          {"mask", 10, draw_mask}};
}

}  // namespace strata::fuzz
