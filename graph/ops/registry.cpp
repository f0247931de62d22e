#include "graph/ops/registry.h"

#include <mutex>

#include "graph/operator/names.h"
#include "graph/tensor/checks.h"
#include "graph/vm/by_name.h"

namespace strata::graph {

void register_elementwise();
void register_shapes();
void register_indexing();
void register_reductions();
void register_products();
void register_windows();
void register_sequences();

namespace {

// The library's own operators are in it from the first use of table() on.
ByName<Operator>& authors_table() {
  static ByName<Operator> table;
  return table;
}

ByName<Operator>& table() {
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
  require_name(name, "an operator", request);
  if (!authors_table().add(name, std::move(row)))
    throw request.refused(Code::E0104_name_taken, "there is an operator " + name,
                          "give it another name");
}

const Operator& find_operator(const std::string& name, const Where& where) {
  if (const auto row = table().find(name)) return *row;
  throw unknown_name(name, operator_names(), Code::E0603_unknown_operator,
                     "there is no operator " + name, "operator_names() lists all",
                     {"find_operator(" + name + ")", where});
}

std::vector<std::string> operator_names() { return table().names(); }

}  // namespace strata::graph
