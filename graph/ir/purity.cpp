#include "graph/ir/purity.h"

#include <map>

namespace strata::graph {

void for_each_binding(const Body& body, const std::function<void(const Binding&)>& f) {
  for (const Block& block : body.blocks)
    for (const Binding& binding : block.bindings) {
      f(binding);
      if (const auto* branch = binding.as<Branch>())
        for (const auto& side : {branch->then, branch->otherwise}) for_each_binding(*side, f);
    }
}

std::set<std::string> impure_functions(const Module& module) {
  std::map<std::string, std::vector<std::string>> callers;
  std::vector<std::string> open;
  for (const auto& [name, global] : module.globals()) {
    const auto* function = std::get_if<GraphFunction>(global.get());
    if (!function) continue;
    for_each_binding(function->body, [&, &caller = name](const Binding& binding) {
      if (const auto* call = binding.as<FunctionCall>()) callers[call->callee].push_back(caller);
      if (const auto* packed = binding.as<PackedCall>(); packed && !packed->is_pure)
        open.push_back(caller);
    });
  }
  std::set<std::string> impure;
  while (!open.empty()) {
    const std::string name = open.back();
    open.pop_back();
    if (!impure.insert(name).second) continue;
    for (const std::string& caller : callers[name]) open.push_back(caller);
  }
  return impure;
}

bool is_impure(const Definition& definition, const std::set<std::string>& impure_functions) {
  if (const auto* packed = std::get_if<PackedCall>(&definition)) return !packed->is_pure;
  const auto* call = std::get_if<FunctionCall>(&definition);
  return call && impure_functions.contains(call->callee);
}

}  // namespace strata::graph
