#include "graph/build/lowered.h"
#include "graph/build/passes.h"
#include "graph/build/relocated.h"

namespace strata::graph {

namespace {

bool is_flat(const Body& body) {
  if (body.blocks.size() > 1) return false;
  for (const Block& block : body.blocks) {
    if (block.is_dataflow) return false;
    for (const Binding& b : block.bindings)
      if (const auto* branch = b.as<Branch>();
          branch && !(is_flat(*branch->then) && is_flat(*branch->otherwise)))
        return false;
  }
  return true;
}

Body flat(const Body& given, Relocated& variables) {
  Block plain;
  for (const Block& block : given.blocks)
    for (const Binding& b : block.bindings)
      plain.bindings.push_back(
          variables.binding(b, false, [&](const Body& side) { return flat(side, variables); }));
  Body made{{}, variables.leaf(given.result)};
  if (!plain.bindings.empty()) made.blocks.push_back(std::move(plain));
  return made;
}

}  // namespace

Pass to_non_dataflow() {
  return Pass({"ToNonDataflow", 0, {}}, [](const Module& module, const PassContext&) {
    using Made = std::optional<GraphFunction>;
    return with_lowered(module, [](const GraphFunction& function) -> Made {
      if (is_flat(function.body)) return std::nullopt;
      GraphFunction made = function;
      Relocated variables(function);
      made.body = flat(function.body, variables);
      return made;
    });
  });
}

}  // namespace strata::graph
