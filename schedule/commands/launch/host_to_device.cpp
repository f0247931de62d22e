#include "schedule/commands/launch/host_to_device.h"

#include "schedule/edit/transfers.h"

namespace strata {

Program host_to_device(const Program& program, const std::string& array,
                       const std::optional<LoopRef>& loop, Given given) {
  const Command command = loop ? Command{"host_to_device", {array, *loop}, given}
                               : Command{"host_to_device", {array}, given};
  return with_transfer(program, Transfer::to_device, array, loop, command);
}

}  // namespace strata
