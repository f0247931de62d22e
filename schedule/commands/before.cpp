#include "schedule/commands/before.h"

#include "schedule/edit/judged.h"
#include "schedule/edit/moving.h"

namespace strata {

Program before(const Program& program, const BranchRef& b, const BranchRef& a,
               const std::optional<std::string>& loop, Given given) {
  Command command{"before",
                  {b, a},
                  given,
                  "moving " + to_string(b) + " before " + to_string(a) +
                      " would read a value before it is computed"};
  if (loop) command.operands.push_back(*loop);
  Program result = program;

  place_beside(result, b, Side::before, a, loop, command);

  return judged(program, std::move(result), command);
}

}  // namespace strata
