#include "graph/vm/registry.h"

#include <stdexcept>

#include "graph/vm/builtins.h"
#include "graph/vm/by_name.h"

namespace strata::graph {

namespace {

// The machine's own functions are there from the beginning: the reference runs lowered programs,
// too.
struct PackedTable : ByName<PackedFunction> {
  PackedTable() {
    for (auto& [name, function] : builtins()) add(name, std::move(function));
  }
};

ByName<PackedFunction>& packed_table() {
  static PackedTable table;
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
