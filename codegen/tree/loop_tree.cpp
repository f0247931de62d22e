#include "codegen/tree/loop_tree.h"

namespace strata {

namespace {

// Calls "act" on each statement inside.
template <typename Statement, typename Act>
void at_insides(Statement& stmt, const Act& act) {
  const auto at = [&](auto& pointer) {
    if (pointer) act(pointer);
  };
  if (auto* loop = std::get_if<For>(&stmt)) at(loop->body);
  if (auto* allocate = std::get_if<Allocate>(&stmt)) at(allocate->body);
  if (auto* launch = std::get_if<Launch>(&stmt)) at(launch->body);
  if (auto* guard = std::get_if<ThreadGuard>(&stmt)) at(guard->body);
  if (auto* mma = std::get_if<Mma>(&stmt)) at(mma->loops);
  if (auto* block = std::get_if<Block>(&stmt))
    for (auto& part : block->body) at(part);
  if (auto* branch = std::get_if<If>(&stmt)) {
    at(branch->then);
    at(branch->otherwise);
  }
}

}  // namespace

StmtPtr make_stmt(Stmt stmt) { return std::make_shared<const Stmt>(std::move(stmt)); }

void for_each_inside(const Stmt& stmt, const std::function<void(const StmtPtr&)>& visitor) {
  at_insides(stmt, visitor);
}

StmtPtr with_insides(Stmt stmt, const std::function<StmtPtr(const StmtPtr&)>& edit) {
  at_insides(stmt, [&](StmtPtr& inside) { inside = edit(inside); });
  return make_stmt(std::move(stmt));
}

std::vector<StmtPtr> bodies(const Kernel& kernel) {
  std::vector<StmtPtr> all{kernel.body};
  if (kernel.fallback) all.push_back(kernel.fallback);
  return all;
}

Kernel with_bodies(Kernel kernel, const std::function<StmtPtr(const StmtPtr&)>& edit) {
  kernel.body = edit(kernel.body);
  if (kernel.fallback) kernel.fallback = edit(kernel.fallback);
  return kernel;
}

}  // namespace strata
