#include "codegen/passes/flatten.h"

#include <utility>

#include "codegen/tree/index_math.h"

namespace strata {

namespace {

StmtPtr flat(const StmtPtr& stmt);

bool is_empty(const StmtPtr& stmt) {
  const auto* block = std::get_if<Block>(stmt.get());
  return block && block->body.empty();
}

void append(std::vector<StmtPtr>& list, const StmtPtr& stmt) {
  const StmtPtr inner = flat(stmt);
  if (const auto* block = std::get_if<Block>(inner.get()))
    list.insert(list.end(), block->body.begin(), block->body.end());
  else
    list.push_back(inner);
}

struct Flatten {
  StmtPtr operator()(For loop) const {
    loop.body = flat(loop.body);
    return is_empty(loop.body) ? loop.body : make_stmt(std::move(loop));
  }
  StmtPtr operator()(If branch) const {
    if (const auto known = as_truth(branch.condition)) return chosen(branch, *known);
    branch.then = flat(branch.then);
    if (branch.otherwise) branch.otherwise = flat(branch.otherwise);
    if (branch.otherwise && is_empty(branch.otherwise)) branch.otherwise = nullptr;
    if (is_empty(branch.then) && branch.otherwise) {
      branch.condition = make(Op::logical_not, {branch.condition});
      branch.then = std::exchange(branch.otherwise, nullptr);
    }
    return is_empty(branch.then) ? branch.then : make_stmt(std::move(branch));
  }
  static StmtPtr chosen(const If& branch, bool condition) {
    if (condition) return flat(branch.then);
    return branch.otherwise ? flat(branch.otherwise) : make_stmt(Block{});
  }
  StmtPtr operator()(const Block& block) const {
    Block result;
    for (const StmtPtr& stmt : block.body) append(result.body, stmt);
    return result.body.size() == 1 ? result.body[0] : make_stmt(std::move(result));
  }
  StmtPtr operator()(const Execute& execute) const { return make_stmt(execute); }
  StmtPtr operator()(const Free& s) const { return make_stmt(s); }
  StmtPtr operator()(const PrefetchBox& s) const { return make_stmt(s); }
  StmtPtr operator()(const Barrier& s) const { return make_stmt(s); }
  StmtPtr operator()(const AwaitCopies& s) const { return make_stmt(s); }
  StmtPtr operator()(const DeviceCopy& s) const { return make_stmt(s); }
  StmtPtr operator()(ThreadGuard guard) const {
    guard.body = flat(guard.body);
    return make_stmt(std::move(guard));
  }
  StmtPtr operator()(Launch launch) const {
    launch.body = flat(launch.body);
    return make_stmt(std::move(launch));
  }
  StmtPtr operator()(const Mma& s) const { return make_stmt(s); }
  StmtPtr operator()(const Exchange& s) const { return make_stmt(s); }
  StmtPtr operator()(const Agree& s) const { return make_stmt(s); }
  StmtPtr operator()(Allocate allocate) const {
    allocate.body = flat(allocate.body);
    return make_stmt(std::move(allocate));
  }
};

StmtPtr flat(const StmtPtr& stmt) { return std::visit(Flatten{}, *stmt); }

}  // namespace

Kernel flatten(const Kernel& kernel) { return with_bodies(kernel, flat); }

}  // namespace strata
