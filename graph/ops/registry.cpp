#include "graph/ops/registry.h"

#include <map>
#include <mutex>

#include "graph/tensor/checks.h"

namespace strata::graph {

void register_elementwise();
void register_shapes();
void register_indexing();
void register_reductions();
void register_products();
void register_windows();
void register_sequences();

namespace {

// The operators by name.  The library's own are there from the first use on.
class Table {
 public:
  const Operator* find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : &found->second;
  }
  bool add(Operator row) {
    const std::lock_guard lock(mutex_);
    const std::string name = row.name;
    return rows_.emplace(name, std::move(row)).second;
  }
  std::vector<std::string> names() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [name, row] : rows_) names.push_back(name);
    return names;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Operator> rows_;  // which stay where they are
};

Table& authors_table() {
  static Table table;
  return table;
}

Table& table() {
  static std::once_flag once;
  std::call_once(once, [] {
    register_elementwise();
    register_shapes();
    register_indexing();
    register_reductions();
    register_products();
    register_windows();
    register_sequences();
  });
  return authors_table();
}

}  // namespace

void register_operator(Operator row, const Where& where) {
  const std::string name = row.name;
  const Request request{"Registered(" + name + ")", where};
  require_name(name, request);
  if (!authors_table().add(std::move(row)))
    throw request.refused(Code::E0104_name_taken, "there is an operator " + name,
                          "give it another name");
}

const Operator& find_operator(const std::string& name, const Where& where) {
  if (const Operator* row = table().find(name)) return *row;
  const std::string nearest = nearest_name(name, operator_names());
  throw Request{"find_operator(" + name + ")", where}.refused(
      Code::E0603_unknown_operator, "there is no operator " + name,
      nearest.empty() ? "operator_names() lists all" : "write " + nearest);
}

std::vector<std::string> operator_names() { return table().names(); }

}  // namespace strata::graph
