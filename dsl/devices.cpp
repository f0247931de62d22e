// Function: commands on the memories of host and GPU.
#include "dsl/author.h"

namespace strata {

ArrayName::ArrayName(const Input& input) : name_(input.name()), owner_(input.owner()) {}
ArrayName::ArrayName(const Computation& computation)
    : name_(Author::array(computation)), owner_(computation.owner()) {}

Function& DeviceCommands::self() { return static_cast<Function&>(*this); }

void DeviceCommands::command(const std::string& name, const ArrayName& array,
                             const Computation* reader, const Var* loop, const Where& where) {
  FunctionState& state = Author::state(self());
  const Request request{name + "(" + array.name_ + ")", where};
  if (array.owner_ != state.program.algorithm->owner)
    throw request.refused(Code::E0101_unknown_computation,
                          array.name_ + " belongs to another function",
                          "name an array of " + state.program.name);
  std::vector<CommandOperand> operands{array.name_};
  if (loop) operands.push_back(Author::loop(*reader, *loop));
  Author::give(state, request, name, std::move(operands));
}

void DeviceCommands::resident(const ArrayName& array, const Where& where) {
  command("resident", array, nullptr, nullptr, where);
}

void DeviceCommands::host_to_device(const ArrayName& array, const Where& where) {
  command("host_to_device", array, nullptr, nullptr, where);
}

void DeviceCommands::host_to_device(const ArrayName& array, const Computation& reader,
                                    const Var& loop, const Where& where) {
  command("host_to_device", array, &reader, &loop, where);
}

void DeviceCommands::device_to_host(const ArrayName& array, const Where& where) {
  command("device_to_host", array, nullptr, nullptr, where);
}

void DeviceCommands::device_to_host(const ArrayName& array, const Computation& reader,
                                    const Var& loop, const Where& where) {
  command("device_to_host", array, &reader, &loop, where);
}

}  // namespace strata
