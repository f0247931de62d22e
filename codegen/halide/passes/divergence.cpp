#include "codegen/halide/passes/divergence.h"

#include <set>
#include <sstream>

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

bool is_thread_loop(const hi::For* loop) { return loop->for_type == hi::ForType::GPUThread; }

class Divergence : public hi::IRVisitor {
 public:
  std::string found;

 private:
  using IRVisitor::visit;

  // True if the expression depends on the thread. Its lets are visited on the way.
  bool depends(const HExpr& e) {
    const bool before = std::exchange(depends_, false);
    e.accept(this);
    return std::exchange(depends_, before);
  }

  // Visits "inside". If "apart", threads go different ways there, because of "why".
  template <typename Inside>
  void in(bool apart, const HExpr& why, const Inside& inside) {
    const HExpr before = why_;
    if (apart && !why_.defined()) why_ = why;
    inside();
    why_ = before;
  }

  template <typename Inside>
  void with(const std::string& name, bool of_thread, const Inside& inside) {
    const bool was = of_thread_.count(name) > 0;
    if (of_thread)
      of_thread_.insert(name);
    else
      of_thread_.erase(name);
    inside();
    if (was)
      of_thread_.insert(name);
    else
      of_thread_.erase(name);
  }

  void visit(const hi::Variable* op) override {
    depends_ = depends_ || of_thread_.count(op->name) > 0;
  }
  void visit(const hi::Load* op) override {
    depends_ = depends_ || of_thread_.count(op->name) > 0;
    IRVisitor::visit(op);
  }
  void visit(const hi::Let* op) override {
    with(op->name, depends(op->value), [&] { op->body.accept(this); });
  }
  void visit(const hi::LetStmt* op) override {
    with(op->name, depends(op->value), [&] { op->body.accept(this); });
  }
  void visit(const hi::Allocate* op) override {
    with(op->name, in_threads_, [&] { op->body.accept(this); });
  }
  void visit(const hi::IfThenElse* op) override {
    in(depends(op->condition), op->condition, [&] {
      op->then_case.accept(this);
      if (op->else_case.defined()) op->else_case.accept(this);
    });
  }
  void visit(const hi::For* op) override {
    const bool moves = depends(op->min), ends = depends(op->extent);
    const bool before = std::exchange(in_threads_, in_threads_ || is_thread_loop(op));
    in(moves || ends, ends ? op->extent : op->min,
       [&] { with(op->name, moves || is_thread_loop(op), [&] { op->body.accept(this); }); });
    in_threads_ = before;
  }
  void visit(const hi::Call* op) override {
    if (op->is_intrinsic(hi::Call::gpu_thread_barrier) && why_.defined() && found.empty()) {
      std::ostringstream text;
      text << why_;
      found = text.str();
    }
    IRVisitor::visit(op);
  }

  bool depends_ = false;
  bool in_threads_ = false;
  HExpr why_;                        // the outermost condition or bound that depends on the thread
  std::set<std::string> of_thread_;  // variables and buffers whose values may differ among threads
};

}  // namespace

std::string find_divergence(const HStmt& statement) {
  Divergence divergence;
  statement.accept(&divergence);
  return divergence.found;
}

}  // namespace strata::halide
