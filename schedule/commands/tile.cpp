#include "schedule/commands/tile.h"

#include <fmt/format.h>

#include <optional>

#include "schedule/commands/interchange.h"
#include "schedule/commands/skew.h"
#include "schedule/edit/band.h"
#include "schedule/edit/judged.h"
#include "schedule/edit/parametric.h"

namespace strata {

namespace {

Command described(const std::vector<LoopRef>& loops, const std::vector<TileSize>& sizes,
                  const std::vector<std::string>& outer, const std::vector<std::string>& inner,
                  Given given) {
  Command command{
      "tile", {}, given, "running tile after tile would read a value before it is computed"};
  for (const LoopRef& loop : loops) command.operands.push_back(loop);
  for (const TileSize& size : sizes) command.operands.push_back(size);
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
    throw command.refused(
        Code::E0106_bad_argument,
        fmt::format("{} loops are named, but {} sizes are given", loops, sizes.size()),
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
std::vector<LoopHead> tiled(const std::vector<LoopHead>& band, const std::vector<TileSize>& sizes,
                            const std::vector<std::string>& names) {
  const std::size_t count = band.size();
  std::vector<LoopHead> loops;
  for (std::size_t n = 0; n < count; ++n)
    loops.push_back(over_strips(band[n], names[n], sizes[n]));
  for (std::size_t n = 0; n < count; ++n) loops.push_back(in_strip(band[n], names[count + n]));
  return loops;
}

Program with_tiles(const Program& program, const std::vector<LoopRef>& loops,
                   const std::vector<TileSize>& sizes, const std::vector<std::string>& outer,
                   const std::vector<std::string>& inner, const Command& command) {
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

// The factors f_1, f_2, .. of  l_q' = l_q + f_q l_0  for the loops inside the first, and the
// commands for this skew. skew needs adjacent loops: for q > 1, loop q is interchanged with loop 1
// before it and back after it.
struct Skew {
  std::vector<std::int64_t> factors;

  Program of(Program program, const std::vector<LoopRef>& loops, const Where& where) const {
    const LoopRef &first = loops[0], &second = loops[1];
    for (std::size_t q = 1; q < loops.size(); ++q) {
      if (factors[q - 1] == 0) continue;
      if (q > 1) program = interchange(program, second, loops[q], {where});
      // Always legal: later iterations of the outer loop stay later.
      program = skew(program, first, loops[q], {1, 0, factors[q - 1], 1},
                     {first.loop, loops[q].loop}, {where, Check::deferred});
      if (q > 1) program = interchange(program, loops[q], second, {where});
    }
    return program;
  }

  std::string text(const std::vector<LoopRef>& loops) const {
    std::string commands = handle_text(loops[0].branch());
    for (std::size_t q = 1; q < loops.size(); ++q) {
      const std::string &first = loops[0].loop, &second = loops[1].loop, &one = loops[q].loop;
      if (factors[q - 1] == 0) continue;
      if (q > 1) commands += fmt::format(".interchange({}, {})", second, one);
      commands +=
          fmt::format(".skew({0}, {1}, 1, 0, {2}, 1, {0}, {1})", first, one, factors[q - 1]);
      if (q > 1) commands += fmt::format(".interchange({}, {})", one, second);
    }
    return commands;
  }
};

// The search for a skew ends at this limit, and none is offered then. It tiles a few times: for
// stencils 4,000 to 52,000 isl operations, where the refusal alone takes 8,000 to 19,000.
constexpr unsigned long most_operations_for_skew = 2'000'000;

// The smallest common factor for all inner loops, then 0 for each loop that does not need it.
template <typename Legal>
std::optional<Skew> find_skew(std::size_t inner_loops, const Legal& legal) {
  for (const std::int64_t factor : {1, 2}) {
    Skew skew{std::vector<std::int64_t>(inner_loops, factor)};
    if (!legal(skew)) continue;
    for (std::size_t q = 0; inner_loops > 1 && q < inner_loops; ++q) {
      Skew fewer = skew;
      fewer.factors[q] = 0;
      if (legal(fewer)) skew = fewer;
    }
    return skew;
  }
  return std::nullopt;
}

}  // namespace

Program tile(const Program& program, const std::vector<LoopRef>& loops,
             const std::vector<TileSize>& sizes, const std::vector<std::string>& outer,
             const std::vector<std::string>& inner, Given given) {
  const Command command = described(loops, sizes, outer, inner, given);
  try {
    return with_tiles(program, loops, sizes, outer, inner, command);
  } catch (const Error& error) {
    if (error.code() != Code::E0201_dependence_reversed) throw;
    const auto legal = [&](const Skew& skew) {
      try {
        with_tiles(skew.of(program, loops, given.where), loops, sizes, outer, inner, command);
        return true;
      } catch (const Error&) {
        return false;
      }
    };
    std::optional<Skew> skew;
    const bool ended = program.session->within(
        most_operations_for_skew, [&] { skew = find_skew(loops.size() - 1, legal); });
    if (!ended || !skew) throw;
    Refusal refusal = error.refusal();
    refusal.mend = "skew first, so that each tile needs only tiles before it: " + skew->text(loops);
    throw Error(refusal);
  }
}

}  // namespace strata
