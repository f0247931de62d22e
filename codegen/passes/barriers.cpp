#include "codegen/passes/barriers.h"

#include <algorithm>
#include <utility>

namespace strata {

namespace {

// Is there a barrier in "s", taken as a sequence, or in the sequence inside its allocations?
bool has_barrier(const StmtPtr& s) {
  if (const auto* allocate = std::get_if<Allocate>(s.get())) return has_barrier(allocate->body);
  const auto* block = std::get_if<Block>(s.get());
  return std::holds_alternative<Barrier>(*s) ||
         (block && std::any_of(block->body.begin(), block->body.end(), has_barrier));
}

// Appends the statements of a sequence, and those of the sequences in it.
void append_parts(std::vector<StmtPtr>& list, const StmtPtr& s) {
  const auto* block = std::get_if<Block>(s.get());
  if (!block) return list.push_back(s);
  for (const StmtPtr& part : block->body) append_parts(list, part);
}

// "s", which has a barrier, with everything but the barriers under the condition.
StmtPtr conditional(const Expr& condition, const StmtPtr& s) {
  if (std::holds_alternative<Barrier>(*s)) return s;
  if (const auto* allocate = std::get_if<Allocate>(s.get())) {
    Allocate copy = *allocate;
    copy.body = conditional(condition, allocate->body);
    return make_stmt(std::move(copy));
  }
  Block parts, part;
  const auto end_part = [&] {
    if (part.body.empty()) return;
    parts.body.push_back(make_stmt(If{condition, make_stmt(std::exchange(part, {})), nullptr}));
  };
  std::vector<StmtPtr> list;
  append_parts(list, s);
  for (const StmtPtr& stmt : list) {
    if (!has_barrier(stmt)) {
      part.body.push_back(stmt);
      continue;
    }
    end_part();
    parts.body.push_back(conditional(condition, stmt));
  }
  end_part();
  return make_stmt(std::move(parts));
}

StmtPtr barriers_outside(const StmtPtr& s) {
  const StmtPtr edited = with_insides(*s, barriers_outside);
  const auto* branch = std::get_if<If>(edited.get());
  if (!branch || branch->otherwise || !has_barrier(branch->then)) return edited;
  return conditional(branch->condition, branch->then);
}

}  // namespace

Kernel with_barriers_outside(const Kernel& kernel) { return with_bodies(kernel, barriers_outside); }

}  // namespace strata
