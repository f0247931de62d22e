#include "graph/vm/registry.h"

#include <stdexcept>

#include "graph/vm/by_name.h"

namespace strata::graph {

namespace {

ByName<PackedFunction>& packed_table() {
  static ByName<PackedFunction> table;
  return table;
}

}  // namespace

void register_packed(const std::string& name, PackedFunction function, bool replaces) {
  if (!function) throw std::invalid_argument("register_packed(\"" + name + "\"): no function");
  if (!packed_table().add(name, std::move(function), replaces))
    throw std::invalid_argument("register_packed(\"" + name + "\"): the name is taken");
}

std::shared_ptr<const PackedFunction> find_packed(const std::string& name) {
  return packed_table().find(name);
}

std::vector<std::string> packed_names() { return packed_table().names(); }

}  // namespace strata::graph
