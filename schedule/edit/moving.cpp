#include "schedule/edit/moving.h"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/edit/verified.h"

namespace strata {

namespace {

// A branch with what moves along: "loops" are copies of the loops around it, outermost first,
// without their bodies; "with[n]" are the nodes placed in loop n for it (Branch::reader_loops). The
// loops from number "alone" inwards hold nothing else; "with" is empty for the others.
struct BranchInLoops {
  std::vector<Loop> loops;
  std::vector<std::vector<Node>> with;
  Branch branch;
  std::size_t alone = 0;
};

// Are all branches under "node" placed in the "depth" loops around it, or further in?
bool is_placed(const Node& node, int depth) {
  if (!node.is_loop()) return node.branch().reader_loops >= depth;
  const auto& body = node.loop().body;
  return std::all_of(body.begin(), body.end(),
                     [&](const Node& inner) { return is_placed(inner, depth); });
}

BranchInLoops copied(const Placed& placed) {
  BranchInLoops nest{{}, {}, *placed.branch, placed.loops.size()};
  for (std::size_t level = 0; level < placed.loops.size(); ++level) {
    const Loop& loop = *placed.loops[level];
    nest.loops.push_back(loop);
    nest.loops.back().body.clear();
    nest.with.push_back(loop.body);
    auto& others = nest.with.back();
    others.erase(others.begin() + placed.path[level + 1]);
  }
  for (; nest.alone > 0; --nest.alone) {
    const auto& others = nest.with[nest.alone - 1];
    const int depth = int(nest.alone);
    if (!std::all_of(others.begin(), others.end(),
                     [&](const Node& node) { return is_placed(node, depth); }))
      break;
  }
  for (std::size_t level = 0; level < nest.alone; ++level) nest.with[level].clear();
  return nest;
}

// The branch inside its loops from "level" on.
Node inside_from(const BranchInLoops& nest, std::size_t level) {
  Node node{nest.branch};
  for (std::size_t n = nest.loops.size(); n-- > level;) {
    Loop loop = nest.loops[n];
    loop.body = nest.with[n];
    loop.body.push_back(std::move(node));
    node = Node{std::move(loop)};
  }
  return node;
}

// Removes the nest with what is placed in its loops.
void remove(Mapping& mapping, const BranchInLoops& nest, const Path& path) {
  const bool whole = nest.alone < nest.loops.size();
  remove_node(mapping, whole ? prefix(path, nest.alone + 1) : path);
}

// Moves the prefetches of the leading "count" loops of the nest into the loops around "place" that
// replace them. If a loop held nothing else, its allocations and what was placed in it move, too.
void share_with(Mapping& mapping, const BranchInLoops& nest, const Path& place, std::size_t count) {
  for (std::size_t n = count; n-- > 0;) {
    Loop& loop = node_at(mapping, prefix(place, n + 1)).loop();
    if (n < nest.alone) {
      add_prefetches(loop, nest.loops[n].prefetches);
      continue;
    }
    loop.body.insert(loop.body.begin() + place[n + 1], nest.with[n].begin(), nest.with[n].end());
    merge(loop, nest.loops[n]);
  }
}

bool is_there(const Mapping& mapping, const BranchRef& branch) {
  const auto all = branches_of(mapping, branch.definition);
  return std::any_of(all.begin(), all.end(), [&](const Placed& placed) {
    return branch.piece.empty() || placed.branch->piece == branch.piece;
  });
}

void require_loops(const BranchInLoops& nest, std::size_t shared, const std::string& anchor,
                   const Command& command) {
  if (nest.loops.size() >= shared) return;
  const std::string name = name_of(nest.branch);
  throw command.refused(Code::E0106_bad_argument,
                        fmt::format("{} cannot share {} loops with {}: {} has only {}", name,
                                    shared, anchor, name, nest.loops.size()),
                        fmt::format("name a loop of {} further out", anchor));
}

}  // namespace

void remove_node(Mapping& mapping, Path path) {
  for (;;) {
    auto& siblings = siblings_at(mapping, path);
    siblings.erase(siblings.begin() + path.back());
    path.pop_back();
    if (!siblings.empty() || path.empty()) return;
  }
}

void require_same_tag(const Loop& a, const std::string& in_a, const Loop& b,
                      const std::string& in_b, const Command& command) {
  const auto difference = find_difference(a, b);
  if (!difference) return;
  throw command.refused(Code::E0205_tags_differ,
                        fmt::format("loop {} of {} is {}, but loop {} of {} is {}", a.name, in_a,
                                    difference->a, b.name, in_b, difference->b),
                        difference->mend);
}

void require_distinct_names(const Loop& loop, const Command& command) {
  const std::function<void(const Loop&, std::vector<std::string>)> visit =
      [&](const Loop& inner, std::vector<std::string> around) {
        if (std::find(around.begin(), around.end(), inner.name) != around.end())
          throw command.refused(
              Code::E0104_name_taken,
              fmt::format("two loops around one computation would be named {}", inner.name),
              "give them other names: an iterator where it is defined, or the new loops of a "
              "split");
        around.push_back(inner.name);
        for (const Node& node : inner.body)
          if (node.is_loop()) visit(node.loop(), around);
      };
  visit(loop, {});
}

void place_beside(Program& program, const BranchRef& moved, Side side, const BranchRef& anchor,
                  const std::optional<std::string>& shared, const Command& command) {
  if (moved == anchor)
    throw command.refused(Code::E0106_bad_argument,
                          to_string(moved) + " cannot be placed relative to itself",
                          "name another computation");
  BranchInLoops nest = copied(branch_named(program, moved, command));
  Placed beside = branch_named(program, anchor, command);
  const std::size_t count =
      shared ? loop_named(program, {anchor.definition, *shared, anchor.piece}, command).size() : 0;
  require_loops(nest, count, to_string(anchor), command);
  for (std::size_t level = 0; level < count; ++level) {
    require_same_tag(*beside.loops[level], to_string(anchor), nest.loops[level], to_string(moved),
                     command);
    nest.loops[level].name = beside.loops[level]->name;
  }

  remove(program.mapping, nest, branch_named(program, moved, command).path);
  if (!is_there(program.mapping, anchor))
    throw command.refused(
        Code::E0106_bad_argument,
        to_string(anchor) + " is computed inside the loops of " + to_string(moved),
        "name another computation, or compute " + to_string(anchor) + " elsewhere first");
  beside = branch_named(program, anchor, command);
  const Path place = prefix(beside.path, count + 1);
  auto& siblings = siblings_at(program.mapping, place);
  siblings.insert(siblings.begin() + place.back() + (side == Side::after ? 1 : 0),
                  inside_from(nest, count));
  share_with(program.mapping, nest, place, count);
  if (!nest.loops.empty()) {
    const Node whole = inside_from(nest, 0);
    require_distinct_names(whole.loop(), command);
  }
}

Program moved_beside(const Program& program, Command command, const BranchRef& moved, Side side,
                     const BranchRef& anchor, const std::optional<std::string>& shared) {
  if (shared) command.operands.push_back(*shared);
  command.consequence = "moving " + to_string(moved) +
                        (side == Side::after ? " after " : " before ") + to_string(anchor) +
                        " would read a value before it is computed";
  Program result = program;
  place_beside(result, moved, side, anchor, shared, command);
  return verified(program, std::move(result), command);
}

}  // namespace strata
