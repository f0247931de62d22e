// What calls of a kernel need to know about it.
#include <algorithm>

#include "dsl/author.h"
#include "python/kernel.h"

namespace strata::python {

namespace {

std::vector<Expr> extents_of(const FunctionState& state, const ArgumentBuffer& buffer) {
  const auto input = state.input_extents.find(buffer.name);
  if (input != state.input_extents.end()) return input->second;
  const LayoutBuffer* layout = state.program.layout.find(buffer.name);
  if (layout && !layout->extents.empty()) return layout->extents;
  return buffer.uppers;
}

int number_of(const Expr& extent, const std::vector<std::string>& parameters) {
  if (extent.op() != Op::parameter) return -1;
  const auto found = std::find(parameters.begin(), parameters.end(), extent.name());
  return found == parameters.end() ? -1 : int(found - parameters.begin());
}

}  // namespace

KernelFacts facts_of(const Function& function, const std::string& target) {
  const FunctionState& state = Author::state(function);
  const strata::Kernel& kernel = state.last->kernel;
  KernelFacts facts{kernel.name, kernel.parameters, {}, {}, target_parts(target).device};
  for (const ScalarArgument& scalar : kernel.scalars)
    facts.scalars.push_back({scalar.name, scalar.type});
  for (const ArgumentBuffer& buffer : kernel.buffers) {
    KernelArgument argument{buffer.name, buffer.type, buffer.access != Access::read,
                            extents_of(state, buffer), kernel.name + ": argument " + buffer.name};
    argument.resident = buffer.resident;
    for (const Expr& extent : argument.extents)
      argument.parameter_of_axis.push_back(number_of(extent, facts.parameters));
    facts.arguments.push_back(std::move(argument));
  }
  return facts;
}

}  // namespace strata::python
