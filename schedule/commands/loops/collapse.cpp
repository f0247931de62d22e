#include "schedule/commands/loops/collapse.h"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/edit/band.h"
#include "schedule/edit/parametric.h"
#include "schedule/edit/verified.h"
#include "schedule/legality/extent.h"

namespace strata {

namespace {

constexpr std::int64_t most_inner_iterations = 1'000'000'000;  // the times stay small numbers

void require_same_tags(const LoopHead& i, const LoopHead& j, const Command& command) {
  const auto difference = find_difference(i, j);
  if (!difference && i.tail == j.tail) return;
  throw command.refused(
      Code::E0106_bad_argument,
      difference
          ? fmt::format("{} is {}, but {} is {}", i.name, difference->a, j.name, difference->b)
          : fmt::format("{} and {} differ in how partial tiles are executed", i.name, j.name),
      "collapse the loops first, then tag the one that they make");
}

// A prefetch counts iterations, and a copy may cost more where it runs more often.
void require_no_belongings(const LoopHead& loop, const Command& command) {
  const std::string what = !loop.prefetches.empty() ? "prefetches for"
                           : !loop.copies.empty()   ? "copies at"
                                                    : "";
  if (what.empty()) return;
  throw command.refused(Code::E0106_bad_argument,
                        fmt::format("there are {} the iterations of {}", what, loop.name),
                        "collapse the loops first, then give them for the one that they make");
}

IterationRange constant_range(const Program& program, const Path& path, const LoopRef& i,
                              const LoopRef& j, const Command& command) {
  const auto range = range_of_iterations(program, path);
  if (!range)
    throw command.refused(
        Code::E0106_bad_argument,
        fmt::format(
            "the bounds of {} are not constants, so {} n + {} with its number of iterations "
            "n is not affine",
            j.loop, i.loop, j.loop),
        fmt::format("give {} constant bounds; or parallelize both loops: threads share the "
                    "iterations of nested parallel loops",
                    j.loop));
  if (range->count > most_inner_iterations)
    throw command.refused(Code::E0106_bad_argument,
                          fmt::format("{} has up to {} iterations", j.loop, range->count),
                          "collapse loops of at most 10^9 iterations");
  return *range;
}

}  // namespace

Program collapse(const Program& program, const LoopRef& i, const LoopRef& j,
                 const std::string& name, Given given) {
  Command command{
      "collapse",
      {i, j},
      given,
      "collapsing " + i.loop + " and " + j.loop + " would read a value before it is computed"};
  if (!name.empty()) command.operands.push_back(name);
  Program result = program;
  const Path path = band_named(result, {i, j}, command);
  require_known_tiles(result, path, 2, "collapsed", command);
  auto loops = loops_of_band(result.mapping, path, 2);
  require_same_tags(loops[0], loops[1], command);
  Path inner = path;
  inner.push_back(0);
  for (const Path& loop : {path, inner})
    require_no_belongings(node_at(result.mapping, loop).loop(), command);
  const IterationRange range = constant_range(result, inner, i, j, command);
  loops[0].name = new_names(result, path, {{name, i.loop}}, {i.loop, j.loop}, command).front();
  merge(loops[0], loops[1]);
  loops.pop_back();

  const auto t = band_iterators(result.session->isl(), 2);
  const isl::val count(t.ctx(), std::max(range.count, std::int64_t{1}));
  const isl::aff both = t.at(0).scale(count).add(t.at(1));
  rewrite_band(result.mapping, path, 2, loops, band_map(t, {both.add_constant(-range.least)}));
  return verified(program, std::move(result), command);
}

}  // namespace strata
