#include "schedule/nest.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata {

namespace {

// A branch and copies of the loops around it, outermost first, without their bodies.
struct Nest {
  std::vector<Loop> loops;
  Branch branch;
};

Nest copied(const Placed& placed) {
  Nest nest{{}, *placed.branch};
  for (const Loop* loop : placed.loops)
    nest.loops.push_back({loop->name, loop->processor, {}, loop->allocations});
  return nest;
}

// The branch inside its loops from "level" on.
Node inside_from(const Nest& nest, std::size_t level) {
  return in_loops({nest.loops.begin() + long(level), nest.loops.end()}, nest.branch);
}

void require_loops(const Nest& nest, std::size_t shared, const std::string& anchor,
                   const Command& command) {
  if (nest.loops.size() >= shared) return;
  const auto& name = nest.branch.definition;
  throw command.refused(Code::E0106_bad_argument,
                        fmt::format("{} cannot share {} loops with {}: it has {}", name, shared,
                                    anchor, nest.loops.size()),
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
  if (a.processor == b.processor) return;
  throw command.refused(Code::E0205_tags_differ,
                        fmt::format("loop {} of {} is {}, but loop {} of {} is {}", a.name, in_a,
                                    to_string(a.processor), b.name, in_b, to_string(b.processor)),
                        "give both loops the same tag first, or tag the loop after it is shared");
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

void place_beside(Program& program, const std::string& moved, Side side, const std::string& anchor,
                  const std::optional<std::string>& shared, const Command& command) {
  if (moved == anchor)
    throw command.refused(Code::E0106_bad_argument, moved + " cannot be placed beside itself",
                          "name another computation");
  Nest nest = copied(branch_named(program, moved, command));
  Placed beside = branch_named(program, anchor, command);
  const std::size_t count = shared ? loop_named(program, {anchor, *shared}, command).size() : 0;
  require_loops(nest, count, anchor, command);
  for (std::size_t level = 0; level < count; ++level) {
    require_same_tag(*beside.loops[level], anchor, nest.loops[level], moved, command);
    nest.loops[level].name = beside.loops[level]->name;
  }

  remove_node(program.mapping, branch_named(program, moved, command).path);
  beside = branch_named(program, anchor, command);
  const Path place(beside.path.begin(), beside.path.begin() + int(count) + 1);
  auto& siblings = siblings_at(program.mapping, place);
  siblings.insert(siblings.begin() + place.back() + (side == Side::after ? 1 : 0),
                  inside_from(nest, count));
  if (!nest.loops.empty()) {
    const Node whole = inside_from(nest, 0);
    require_distinct_names(whole.loop(), command);
  }
}

}  // namespace strata
