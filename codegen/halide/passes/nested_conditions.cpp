#include <algorithm>
#include <vector>

#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

class ReadsMemory : public hi::IRVisitor {
 public:
  bool found = false;

 private:
  using IRVisitor::visit;
  void visit(const hi::Load*) override { found = true; }
  void visit(const hi::Call* op) override {
    found = found || !op->is_pure();
    IRVisitor::visit(op);
  }
};

// e such that the comparison of 64-bit integers holds for 0 <= e.
HExpr room_in(const HExpr& condition) {
  const auto ordered = [](const HExpr& less, const HExpr& more, int strict) {
    return less.type() == Halide::Int(64) ? more - less - strict : HExpr();
  };
  if (const auto* op = condition.as<hi::LT>()) return ordered(op->a, op->b, 1);
  if (const auto* op = condition.as<hi::LE>()) return ordered(op->a, op->b, 0);
  if (const auto* op = condition.as<hi::GT>()) return ordered(op->b, op->a, 1);
  if (const auto* op = condition.as<hi::GE>()) return ordered(op->b, op->a, 0);
  return {};
}

// True if "later" implies "earlier". This is known only for comparisons whose sides differ by
// constants.
bool is_implied(const HExpr& earlier, const HExpr& later) {
  const HExpr least = room_in(later), room = room_in(earlier);
  if (!least.defined() || !room.defined()) return false;
  const auto surplus = hi::as_const_int(hi::simplify(room - least));
  return surplus && *surplus >= 0;
}

// A branch without "else" whose condition nothing can change.
const hi::IfThenElse* guarded(const HStmt& s) {
  const auto* branch = s.as<hi::IfThenElse>();
  if (!branch || branch->else_case.defined() || !branch->condition.type().is_scalar())
    return nullptr;
  ReadsMemory reads;
  branch->condition.accept(&reads);
  return reads.found ? nullptr : branch;
}

void add_parts(const HStmt& s, std::vector<HStmt>& parts) {
  const auto* block = s.as<hi::Block>();
  if (!block) return parts.push_back(s);
  add_parts(block->first, parts);
  add_parts(block->rest, parts);
}

class NestedConditions : public hi::IRMutator {
  using IRMutator::visit;

  HStmt visit(const hi::Block* op) override {
    std::vector<HStmt> parts, result;
    add_parts(op, parts);
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      const HStmt here = mutate(*part);
      const auto* earlier = guarded(here);
      const auto* later = result.empty() ? nullptr : guarded(result.back());
      if (earlier && later && is_implied(earlier->condition, later->condition))
        result.back() = hi::IfThenElse::make(earlier->condition,
                                             hi::Block::make(earlier->then_case, result.back()));
      else
        result.push_back(here);
    }
    std::reverse(result.begin(), result.end());
    return hi::Block::make(result);
  }
};

}  // namespace

HStmt with_nested_conditions(const HStmt& statement) {
  return NestedConditions().mutate(statement);
}

}  // namespace strata::halide
