#include "schedule/commands/after.h"

#include "schedule/edit/judged.h"
#include "schedule/edit/moving.h"

namespace strata {

Program after(const Program& program, const BranchRef& b, const BranchRef& a,
              const std::optional<std::string>& loop, Given given) {
  Command command{"after",
                  {b, a},
                  given,
                  "moving " + to_string(b) + " after " + to_string(a) +
                      " would read a value before it is computed"};
  if (loop) command.operands.push_back(*loop);
  Program result = program;

  place_beside(result, b, Side::after, a, loop, command);

  return judged(program, std::move(result), command);
}

}  // namespace strata
