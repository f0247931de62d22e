#include "schedule/commands/launch/resident.h"

#include "schedule/edit/own_buffer.h"
#include "schedule/edit/verified.h"

namespace strata {

Program resident(const Program& program, const std::string& array, Given given) {
  const Command command{"resident", {array}, given};
  Program after = program;
  any_buffer_given(after, array, command).resident = true;
  return verified(program, std::move(after), command);
}

}  // namespace strata
