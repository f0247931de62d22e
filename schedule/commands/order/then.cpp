#include "schedule/commands/order/then.h"

#include "schedule/edit/moving.h"

namespace strata {

Program then(const Program& program, const BranchRef& a, const BranchRef& b,
             const std::optional<std::string>& loop, Given given) {
  return moved_beside(program, {"then", {a, b}, given}, b, Side::after, a, loop);
}

}  // namespace strata
