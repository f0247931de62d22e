#include "schedule/commands/order/after.h"

#include "schedule/edit/moving.h"

namespace strata {

Program after(const Program& program, const BranchRef& b, const BranchRef& a,
              const std::optional<std::string>& loop, Given given) {
  return moved_beside(program, {"after", {b, a}, given}, b, Side::after, a, loop);
}

}  // namespace strata
