#include "codegen/tree/tree_names.h"

namespace strata {

TreeNames::TreeNames(const Kernel& kernel)
    : taken_(kernel.parameters.begin(), kernel.parameters.end()) {
  for (const SizeRead& size : kernel.sizes) taken_.insert(size.parameter);
  for (const ScalarArgument& scalar : kernel.scalars) taken_.insert(scalar.name);
  for (const ArgumentBuffer& buffer : kernel.buffers) taken_.insert(buffer.name);
  for (const StmtPtr& body : bodies(kernel)) add(body);
}

void TreeNames::add(const StmtPtr& stmt) {
  if (const auto* loop = std::get_if<For>(stmt.get())) taken_.insert(loop->variable);
  if (const auto* allocate = std::get_if<Allocate>(stmt.get())) taken_.insert(allocate->buffer);
  for_each_inside(*stmt, [this](const StmtPtr& inside) { add(inside); });
}

std::string TreeNames::fresh(const std::string& stem) {
  std::string name = stem;
  for (int n = 1; !taken_.insert(name).second; ++n) name = stem + "_" + std::to_string(n);
  return name;
}

void add_variables(const Stmt& stmt, std::set<std::string>& variables) {
  if (const auto* loop = std::get_if<For>(&stmt)) variables.insert(loop->variable);
  for_each_inside(stmt, [&](const StmtPtr& inside) { add_variables(*inside, variables); });
}

}  // namespace strata
