#include "graph/vm/registry.h"

#include <map>
#include <mutex>
#include <stdexcept>

namespace strata::graph {

namespace {

struct PackedTable {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const PackedFunction>> functions;
};

PackedTable& packed_table() {
  static PackedTable table;
  return table;
}

}  // namespace

void register_packed(const std::string& name, PackedFunction function, bool replaces) {
  if (!function) throw std::invalid_argument("register_packed(\"" + name + "\"): no function");
  PackedTable& table = packed_table();
  const std::lock_guard lock(table.mutex);
  auto& place = table.functions[name];
  if (place && !replaces)
    throw std::invalid_argument("register_packed(\"" + name + "\"): the name is taken");
  place = std::make_shared<const PackedFunction>(std::move(function));
}

std::shared_ptr<const PackedFunction> find_packed(const std::string& name) {
  PackedTable& table = packed_table();
  const std::lock_guard lock(table.mutex);
  const auto found = table.functions.find(name);
  return found == table.functions.end() ? nullptr : found->second;
}

std::vector<std::string> packed_names() {
  PackedTable& table = packed_table();
  const std::lock_guard lock(table.mutex);
  std::vector<std::string> names;
  for (const auto& [name, function] : table.functions) names.push_back(name);
  return names;
}

}  // namespace strata::graph
