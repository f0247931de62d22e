#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tests/fuzz/draw.h"

namespace strata::fuzz {

namespace {

std::optional<std::string> loop_or_root(Draw& draw, const Site& site) {
  if (draw.chance(25)) return std::nullopt;
  return draw.one_of(site.loops);
}

// A branch to move, another one as its anchor, and a loop around the anchor, or none.
struct Two {
  BranchRef moved, anchor;
  std::optional<std::string> loop;
};

std::optional<Two> draw_two(Draw& draw) {
  const auto site = draw.site();
  const BranchRef moved = draw.branch();
  if (!site || site->branch() == moved) return std::nullopt;
  return Two{moved, site->branch(), loop_or_root(draw, *site)};
}

std::optional<Command> draw_after(Draw& draw) {
  const auto two = draw_two(draw);
  if (!two) return std::nullopt;
  return Command{"after", {two->moved, two->anchor, two->loop}};
}

std::optional<Command> draw_before(Draw& draw) {
  const auto two = draw_two(draw);
  if (!two) return std::nullopt;
  return Command{"before", {two->moved, two->anchor, two->loop}};
}

std::optional<Command> draw_then(Draw& draw) {
  const auto two = draw_two(draw);
  if (!two) return std::nullopt;
  return Command{"then", {two->anchor, two->moved, two->loop}};
}

BranchRef named(const Placed& placed) { return {placed.branch->definition, placed.branch->piece}; }

LoopRef loop_of(const Placed& placed, const std::string& loop) {
  return {placed.branch->definition, loop, placed.branch->piece};
}

// Moves a branch between two others in static order, in a loop that they share.
std::optional<Command> draw_between(Draw& draw) {
  const BranchRef moved = draw.branch();
  std::vector<Placed> others;
  for (const Placed& p : branches(draw.program().mapping))
    if (named(p) != moved) others.push_back(p);
  if (others.size() < 2) return std::nullopt;
  const auto second = std::size_t(draw.between(1, std::int64_t(others.size()) - 1));
  const auto first = std::size_t(draw.between(0, std::int64_t(second) - 1));
  const Placed &x = others[first], &y = others[second];
  std::vector<std::string> shared;
  for (std::size_t p = 0; p < std::min(x.loops.size(), y.loops.size()); ++p)
    if (x.loops[p] == y.loops[p]) shared.push_back(x.loops[p]->name);
  std::optional<std::string> loop;
  if (!shared.empty() && draw.chance(70)) loop = draw.one_of(shared);
  return Command{"between", {moved, named(x), loop, named(y), loop}};
}

// Two sibling loops, if the program has any.
std::optional<Command> draw_fuse(Draw& draw) {
  std::vector<std::pair<LoopRef, LoopRef>> pairs;
  const auto all = branches(draw.program().mapping);
  for (const Placed& a : all)
    for (const Placed& b : all)
      for (std::size_t p = 0; p < std::min(a.loops.size(), b.loops.size()); ++p) {
        if (a.loops[p] == b.loops[p]) continue;
        if (a.path[p] < b.path[p])
          pairs.push_back({loop_of(a, a.loops[p]->name), loop_of(b, b.loops[p]->name)});
        break;
      }
  if (pairs.empty()) return std::nullopt;
  const auto pair = draw.one_of(pairs);
  return Command{"fuse", {pair.first, pair.second}};
}

std::optional<Command> draw_distribute(Draw& draw) {
  std::vector<LoopRef> shared;
  for (const Placed& placed : branches(draw.program().mapping))
    for (const Loop* loop : placed.loops)
      if (loop->body.size() > 1) shared.push_back(loop_of(placed, loop->name));
  const auto site = draw.site();
  if (shared.empty() && (!site || draw.chance(80))) return std::nullopt;
  const LoopRef loop = shared.empty() ? draw.loop(*site) : draw.one_of(shared);
  return Command{"distribute_loop", {loop}};
}

std::optional<Command> draw_compute_at(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const auto producers = draw.producers(site->definition, false);
  if (producers.empty()) return std::nullopt;
  const std::string producer = draw.one_of(producers);
  std::vector<LoopRef> loops;
  for (const Placed& placed : branches(draw.program().mapping)) {
    const std::string& reader = placed.branch->definition;
    const auto read = draw.producers(reader, false);
    const bool reads = std::find(read.begin(), read.end(), producer) != read.end();
    const bool known = std::any_of(loops.begin(), loops.end(),
                                   [&](const LoopRef& l) { return l.branch() == named(placed); });
    if (reads && !known && !placed.loops.empty() && draw.chance(85))
      loops.push_back(loop_of(placed, draw.one_of(placed.loops)->name));
  }
  if (loops.empty()) return std::nullopt;
  if (draw.chance(8)) return Command{"compute_at", {producer, OutsideLoops{}}};
  Command command{"compute_at", {producer}};
  command.operands.insert(command.operands.end(), loops.begin(), loops.end());
  return command;
}

// For a computation placed by compute_at.
std::optional<Command> draw_store_at(Draw& draw) {
  std::vector<Placed> placed;
  for (const Placed& p : branches(draw.program().mapping))
    if (p.branch->reader_loops > 0) placed.push_back(p);
  if (placed.empty()) return std::nullopt;
  const Placed& chosen = draw.one_of(placed);
  const std::string producer = chosen.branch->definition;
  std::optional<LoopRef> loop;
  const auto level = std::size_t(draw.between(0, chosen.branch->reader_loops));
  if (level > 0) {
    const std::string name = chosen.loops[level - 1]->name;
    for (const Placed& p : branches(draw.program().mapping))
      if (p.loops.size() >= level && p.loops[level - 1] == chosen.loops[level - 1] &&
          p.branch->definition != producer)
        loop = loop_of(p, name);
    if (!loop) return std::nullopt;
  }
  return Command{"store_at", {producer, loop}};
}

// For a computation that has readers and no updates.
std::optional<Command> draw_inline(Draw& draw) {
  const Algorithm& all = *draw.program().algorithm;
  std::vector<std::string> plain;
  for (const Definition& d : all.definitions) {
    const bool read =
        std::any_of(all.definitions.begin(), all.definitions.end(), [&](const Definition& reader) {
          const auto names = draw.producers(reader.name, false);
          return std::count(names.begin(), names.end(), d.name) > 0;
        });
    if (read && !d.reduction && !d.is_initial && all.definitions_of(d.array).size() == 1)
      plain.push_back(d.name);
  }
  if (plain.empty()) return std::nullopt;
  const std::string name = draw.one_of(plain);
  return Command{"inline", {name}};
}

// { S[i, j] -> [b, .., j, .., i, ..] }, in its own nest or in loops of others.
std::string draw_map(Draw& draw, const Definition& d) {
  std::vector<std::string> left = d.iterators, numbers;
  numbers.push_back(std::to_string(draw.between(0, 4)));
  const bool ordered = draw.chance(50);
  while (!left.empty()) {
    const auto at = ordered ? 0 : std::size_t(draw.between(0, std::int64_t(left.size()) - 1));
    std::string number = left[at];
    left.erase(left.begin() + std::ptrdiff_t(at));
    if (draw.chance(15)) number = "-" + number;
    if (draw.chance(15) && !left.empty()) number += " + " + left.front();
    if (draw.chance(15)) number += " + 1";
    numbers.push_back(number);
    numbers.push_back(std::to_string(draw.chance(80) ? 0 : 1));
  }
  return fmt::format("{}[{}] -> [{}]", d.name, fmt::join(d.iterators, ", "),
                     fmt::join(numbers, ", "));
}

std::optional<Command> draw_set_schedule(Draw& draw) {
  const Definition& d = draw.definition();
  std::string map = draw_map(draw, d);
  if (draw.chance(30) && !d.iterators.empty())
    map += fmt::format(" : {0} < 1; {1} : {0} >= 1", d.iterators.front(), draw_map(draw, d));
  if (draw.chance(30)) map.replace(map.find("-> [") + 3, 0, "first");
  const std::string name = d.name, text = "{ " + map + " }";
  return Command{"set_schedule", {name, IslNotation{text}}};
}

}  // namespace

std::vector<CommandKind> commands_on_order() {
  return {{"after", 15, draw_after},
          {"before", 15, draw_before},
          {"then", 15, draw_then},
          {"between", 15, draw_between},
          {"fuse", 13, draw_fuse},
          {"distribute_loop", 7, draw_distribute},
          {"compute_at", 18, draw_compute_at},
          {"store_at", 34, draw_store_at},
          {"set_inline", 7, draw_inline},
          {"set_schedule", 8, draw_set_schedule}};
}

}  // namespace strata::fuzz
