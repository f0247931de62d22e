#include "schedule/commands/order/before.h"

#include "schedule/edit/moving.h"

namespace strata {

Program before(const Program& program, const BranchRef& b, const BranchRef& a,
               const std::optional<std::string>& loop, Given given) {
  return moved_beside(program, {"before", {b, a}, given}, b, Side::before, a, loop);
}

}  // namespace strata
