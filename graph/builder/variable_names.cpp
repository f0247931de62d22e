#include "graph/builder/variable_names.h"

#include "graph/ir/purity.h"

namespace strata::graph {

VariableNames::VariableNames(const GraphFunction& function) {
  for (const Value& parameter : function.parameters) add(parameter.name());
  for_each_binding(function.body, [&](const Binding& b) { add(b.value.name()); });
}

std::string VariableNames::fresh(const std::string& wanted) {
  std::string name = wanted;
  for (int number = 1; !add(name); ++number) name = wanted + "_" + std::to_string(number);
  return name;
}

}  // namespace strata::graph
