#include "tests/fuzz/kept_executions.h"

#include <algorithm>
#include <map>

#include "reference/executions.h"
#include "tests/fuzz/sizes.h"

namespace strata::fuzz {

namespace {

using reference::Point;
using reference::Scheduled;

// By instance and iteration of the first "levels" loops, how often it runs there.
using Counts = std::map<std::pair<Point, Point>, int>;

Counts counts(const Program& program, const BranchRef& branch, std::size_t levels,
              const Parameters& size) {
  Mapping mapping = program.mapping;
  Counts all;
  for (const Placed& placed : branches_of(mapping, branch.definition)) {
    if (!branch.piece.empty() && placed.branch->piece != branch.piece) continue;
    const auto number = reference::definition_number(*program.algorithm, branch.definition);
    for (const Scheduled& s : reference::executions(mapping, *program.algorithm, size)) {
      if (s.definition != number || s.path != placed.path) continue;
      const auto end = s.iterators.begin() + std::ptrdiff_t(std::min(levels, s.iterators.size()));
      ++all[{s.instance, {s.iterators.begin(), end}}];
    }
  }
  return all;
}

// The number of loops around the outermost of those that are dealt out.
std::size_t levels_around(const Program& program, const Command& deal) {
  std::size_t least = SIZE_MAX;
  for (const CommandOperand& operand : deal.operands) {
    const auto& loop = std::get<LoopRef>(operand.value());
    for (const Placed& placed : branches_of(program.mapping, loop.definition))
      for (std::size_t level = 0; level < placed.loops.size(); ++level)
        if (placed.loops[level]->name == loop.loop &&
            (loop.piece.empty() || placed.branch->piece == loop.piece))
          least = std::min(least, level);
  }
  return least;
}

std::string first_difference(const Counts& before, const Counts& after) {
  for (const auto& [key, count] : before)
    if (after.count(key) == 0) return reference::to_string(key.first) + " does not run";
  for (const auto& [key, count] : after) {
    const auto known = before.find(key);
    if (count > (known == before.end() ? 1 : known->second))
      return reference::to_string(key.first) + " runs " + std::to_string(count) + " times";
  }
  return "";
}

}  // namespace

std::string lost_or_repeated(const Program& before, const Program& after,
                             const DrawnCommand& command) {
  if (command.command.name != "deal") return "";
  const std::size_t levels = levels_around(before, command.command);
  const BranchRef branch = std::get<LoopRef>(command.command.operands.front().value()).branch();
  for (const Parameters& size : sizes_of(before, Effort::accepted)) {
    const std::string wrong =
        first_difference(counts(before, branch, levels, size), counts(after, branch, levels, size));
    if (!wrong.empty())
      return branch.definition + wrong + " after " + command.command.text() + ", with " +
             reference::to_string(size);
  }
  return "";
}

}  // namespace strata::fuzz
