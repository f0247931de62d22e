// Function: commands on the memories of host and GPU.
#include "dsl/author.h"

namespace strata {

ArrayName::ArrayName(const Input& input) : name_(input.name()), owner_(input.owner()) {}
ArrayName::ArrayName(const Computation& computation)
    : name_(Author::array(computation)), owner_(computation.owner()) {}

void Function::give_transfer(const std::string& name, const ArrayName& array,
                             const Computation* reader, const Var* loop, const Where& where) {
  FunctionState& state = Author::state(*this);
  const Request request{name + "(" + array.name_ + ")", where};
  if (array.owner_ != state.program.algorithm->owner)
    throw request.refused(Code::E0101_unknown_computation,
                          array.name_ + " belongs to another function",
                          "name an array of " + state.program.name);
  std::vector<CommandOperand> operands{array.name_};
  if (loop) operands.push_back(Author::loop(*reader, *loop));
  Author::give(state, request, name, std::move(operands));
}

void Function::resident(const ArrayName& array, const Where& where) {
  give_transfer("resident", array, nullptr, nullptr, where);
}

void Function::host_to_device(const ArrayName& array, const Where& where) {
  give_transfer("host_to_device", array, nullptr, nullptr, where);
}

void Function::host_to_device(const ArrayName& array, const Computation& reader, const Var& loop,
                              const Where& where) {
  give_transfer("host_to_device", array, &reader, &loop, where);
}

void Function::device_to_host(const ArrayName& array, const Where& where) {
  give_transfer("device_to_host", array, nullptr, nullptr, where);
}

void Function::device_to_host(const ArrayName& array, const Computation& reader, const Var& loop,
                              const Where& where) {
  give_transfer("device_to_host", array, &reader, &loop, where);
}

}  // namespace strata
