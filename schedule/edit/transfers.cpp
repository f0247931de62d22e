#include "schedule/edit/transfers.h"

#include <algorithm>

#include "schedule/edit/own_buffer.h"
#include "schedule/edit/verified.h"

namespace strata {

Program with_transfer(const Program& program, Transfer direction, const std::string& array,
                      const std::optional<LoopRef>& loop, const Command& command) {
  Program after = program;
  any_buffer_given(after, array, command);
  std::vector<GivenCopy>& copies =
      loop ? node_at(after.mapping, loop_named(after, *loop, command)).loop().copies
           : after.layout.copies;
  const GivenCopy copy{direction, array};
  if (std::find(copies.begin(), copies.end(), copy) != copies.end())
    throw command.refused(Code::E0106_bad_argument, array + " is copied there already",
                          "leave it out");
  copies.push_back(copy);
  return verified(program, std::move(after), command);
}

}  // namespace strata
