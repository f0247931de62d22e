#include "schedule/commands/loops/tile.h"

#include <fmt/format.h>

#include <optional>

#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/skew.h"
#include "schedule/edit/tiling.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

Program tiled(const Program& program, const std::vector<LoopRef>& loops,
              const std::vector<TileSize>& sizes, const std::vector<std::string>& outer,
              const std::vector<std::string>& inner, const Command& command) {
  if (loops.size() < 2)
    throw command.refused(Code::E0106_bad_argument, "tile takes two loops or more",
                          "split works on one loop");
  return verified(program, with_tiles(program, loops, sizes, {outer, inner}, command).program,
                  command);
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
// stencils up to 300,000 units of work, where the refusal alone takes up to 100,000.
constexpr unsigned long most_work_for_skew = 10'000'000;

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
  const Command command =
      tiling_command("tile", "running tile after tile would read a value before it is computed",
                     loops, sizes, {outer, inner}, given);
  try {
    return tiled(program, loops, sizes, outer, inner, command);
  } catch (const Error& error) {
    if (error.code() != Code::E0201_dependence_reversed) throw;
    const auto legal = [&](const Skew& skew) {
      try {
        tiled(skew.of(program, loops, given.where), loops, sizes, outer, inner, command);
        return true;
      } catch (const Error&) {
        return false;
      }
    };
    std::optional<Skew> skew;
    const bool ended = program.session->within(most_work_for_skew,
                                               [&] { skew = find_skew(loops.size() - 1, legal); });
    if (!ended || !skew) throw;
    Refusal refusal = error.refusal();
    refusal.mend = "skew first, so that each tile needs only tiles before it: " + skew->text(loops);
    throw Error(refusal);
  }
}

}  // namespace strata
