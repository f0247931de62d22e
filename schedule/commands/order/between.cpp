#include "schedule/commands/order/between.h"

#include <algorithm>

#include "schedule/edit/moving.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

std::size_t depth_of(const Program& program, const BranchRef& branch,
                     const std::optional<std::string>& loop, const Command& command) {
  return loop ? loop_named(program, {branch.definition, *loop, branch.piece}, command).size() : 0;
}

// Requires that x and y share "common" loops, and x is in an earlier node inside them than y.
void require_place(const Program& program, const BranchRef& x, const BranchRef& y,
                   std::size_t common, const Command& command) {
  const Path first = branch_named(program, x, command).path;
  const Path second = branch_named(program, y, command).path;
  const bool shared = common < first.size() && common < second.size() &&
                      std::equal(first.begin(), first.begin() + int(common), second.begin());
  if (!shared || first[common] >= second[common])
    throw command.refused(Code::E0106_bad_argument,
                          "there is no place both after " + to_string(x) + " and before " +
                              to_string(y) + " in these loops",
                          "place " + to_string(y) + " after " + to_string(x) +
                              " in a common loop first, or name loops "
                              "further out");
}

}  // namespace

Program between(const Program& program, const BranchRef& b, const BranchRef& x,
                const std::optional<std::string>& loop_x, const BranchRef& y,
                const std::optional<std::string>& loop_y, Given given) {
  const Command command{"between",
                        {b, x, loop_x, y, loop_y},
                        given,
                        "moving " + to_string(b) + " between " + to_string(x) + " and " +
                            to_string(y) + " would read a value before it is computed"};
  Program result = program;
  if (b == x || b == y)
    throw command.refused(Code::E0106_bad_argument,
                          to_string(b) + " cannot be placed relative to itself",
                          "name another computation");
  const auto depth_x = depth_of(result, x, loop_x, command);
  const auto depth_y = depth_of(result, y, loop_y, command);
  require_place(result, x, y, std::min(depth_x, depth_y), command);

  if (depth_x >= depth_y)
    place_beside(result, b, Side::after, x, loop_x, command);
  else
    place_beside(result, b, Side::before, y, loop_y, command);

  return verified(program, std::move(result), command);
}

}  // namespace strata
