// What calls of a kernel need to know of it.
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

}  // namespace

KernelFacts facts_of(const Function& function) {
  const FunctionState& state = Author::state(function);
  const strata::Kernel& kernel = state.last->kernel;
  KernelFacts facts{kernel.name, kernel.parameters, {}};
  for (const ArgumentBuffer& buffer : kernel.buffers)
    facts.arguments.push_back(
        {buffer.name, buffer.type, buffer.access != Access::read, extents_of(state, buffer)});
  return facts;
}

}  // namespace strata::python
