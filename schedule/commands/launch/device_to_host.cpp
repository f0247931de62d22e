#include "schedule/commands/launch/device_to_host.h"

#include "schedule/edit/transfers.h"

namespace strata {

Program device_to_host(const Program& program, const std::string& array,
                       const std::optional<LoopRef>& loop, Given given) {
  const Command command = loop ? Command{"device_to_host", {array, *loop}, given}
                               : Command{"device_to_host", {array}, given};
  return with_transfer(program, Transfer::to_host, array, loop, command);
}

}  // namespace strata
