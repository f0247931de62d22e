#include "schedule/commands/order/distribute_loop.h"

#include "schedule/edit/verified.h"

namespace strata {

Program distribute_loop(const Program& program, const LoopRef& loop, Given given) {
  const Command command{"distribute_loop",
                        {loop},
                        given,
                        "running the parts of loop " + loop.loop +
                            " one after the other would read a value before it is computed"};
  Program result = program;
  const Path path = loop_named(result, loop, command);

  auto& siblings = siblings_at(result.mapping, path);
  const Loop whole = std::move(siblings[path.back()].loop());
  std::vector<Node> parts;
  for (const Node& node : whole.body) {
    Loop part = whole;
    part.body = {node};
    parts.push_back(Node{std::move(part)});
  }
  const auto place = siblings.erase(siblings.begin() + path.back());
  siblings.insert(place, parts.begin(), parts.end());

  return verified(program, std::move(result), command);
}

}  // namespace strata
