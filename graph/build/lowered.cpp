#include "graph/build/lowered.h"

#include "graph/builder/rewriter.h"
#include "graph/evaluate/element.h"
#include "graph/fuse/primitive.h"
#include "graph/ir/purity.h"
#include "graph/vm/element_type.h"

namespace strata::graph {

const PackedCall* packed_call(const Definition& definition, std::string_view name) {
  const auto* call = std::get_if<PackedCall>(&definition);
  return call && call->callee == name ? call : nullptr;
}

bool is_builtin_call(const Definition& definition) {
  const auto* call = std::get_if<PackedCall>(&definition);
  return call && (call->callee.starts_with("vm.builtin.") || call->callee == builtin::alloc_tensor);
}

bool writes_results(const Binding& b) {
  const auto* call = b.as<PackedCall>();
  return call && call->is_pure && b.value.type().kind() == ValueType::Kind::nothing;
}

bool is_dispatched(const GraphFunction& function) {
  const Attribute* found = function.attributes.find("dispatched");
  return found && std::holds_alternative<bool>(*found) && std::get<bool>(*found);
}

bool is_kernel(const GraphFunction& function) {
  return is_primitive(function) || is_dispatched(function);
}

SymbolValues bounds_of(const GraphFunction& function) {
  std::set<std::string> symbols;
  for (const Value& parameter : function.parameters)
    for (const Expr& dim : dims_in(parameter.type()))
      if (dim.op() == Op::parameter) symbols.insert(dim.name());
  SymbolValues bounds;
  for (const Attributes::Entry& entry : function.attributes.entries()) {
    if (!entry.name.starts_with("bound.")) continue;
    const std::string symbol = entry.name.substr(6);
    const auto* bound = std::get_if<std::int64_t>(&entry.value);
    if (!bound || *bound < 0 || !symbols.contains(symbol))
      throw Request{"@" + function.name, function.where}.refused(
          Code::E0601_malformed_graph,
          entry.name + (symbols.contains(symbol)
                            ? " is not an integer of 0 or more"
                            : ": no extent of a parameter is the symbol " + symbol),
          "bound.n=20 says that the symbol n is at most 20");
    bounds[symbol] = *bound;
  }
  return bounds;
}

std::set<std::string> packed_callees(const Module& module) {
  std::set<std::string> names;
  for (const auto& [name, global] : module.globals())
    if (const auto* function = std::get_if<GraphFunction>(global.get()))
      for_each_binding(function->body, [&](const Binding& b) {
        if (const auto* call = b.as<PackedCall>()) names.insert(call->callee);
        if (const auto* call = b.as<KernelCall>(); call && call->is_packed)
          names.insert(call->callee);
      });
  return names;
}

Value integers_value(const std::vector<std::int64_t>& values) {
  Shape dims;
  for (const std::int64_t value : values) dims.push_back(constant(i64, value));
  return shape_value(dims);
}
Value integer_value(std::int64_t value) { return integers_value({value}); }

std::string element_name(Type type) { return name_of(element_type_of(type)); }
std::int64_t bytes_of(Type type) { return (element_type_of(type).bits + 7) / 8; }

Module with_lowered(const Module& module,
                    const std::function<std::optional<GraphFunction>(const GraphFunction&)>& f) {
  return with_functions(module, [&](const GraphFunction& function) {
    return is_kernel(function) ? std::nullopt : f(function);
  });
}

}  // namespace strata::graph
