#include "schedule/commands/order/fuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "schedule/edit/moving.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

void require_siblings(const Path& a, const Path& b, const LoopRef& first, const LoopRef& second,
                      const Command& command) {
  if (a == b)
    throw command.refused(
        Code::E0106_bad_argument,
        fmt::format("{} and {} are already one loop", to_string(first), to_string(second)),
        "name two loops in the same loop body");
  if (a.size() != b.size() || !std::equal(a.begin(), a.end() - 1, b.begin()))
    throw command.refused(
        Code::E0106_bad_argument,
        fmt::format("{} and {} are not in the same loop body", to_string(first), to_string(second)),
        "fuse the loops around them first, or place the computations with after");
}

}  // namespace

Program fuse(const Program& program, const LoopRef& a, const LoopRef& b, Given given) {
  const Command command{
      "fuse",
      {a, b},
      given,
      fmt::format("running {} and {} in one loop would read a value before it is computed",
                  to_string(a), to_string(b))};
  Program result = program;
  const Path kept = loop_named(result, a, command), gone = loop_named(result, b, command);
  require_siblings(kept, gone, a, b, command);
  Loop& into = node_at(result.mapping, kept).loop();
  Loop& from = node_at(result.mapping, gone).loop();
  require_same_tag(into, a.definition, from, b.definition, command);
  from.name = into.name;
  require_distinct_names(from, command);

  std::move(from.body.begin(), from.body.end(), std::back_inserter(into.body));
  merge(into, from);
  auto& siblings = siblings_at(result.mapping, gone);
  siblings.erase(siblings.begin() + gone.back());

  return verified(program, std::move(result), command);
}

}  // namespace strata
