#include "codegen/halide/passes/verify.h"

#include <map>

#include "codegen/halide/arithmetic/atomic_steps.h"
#include "codegen/halide/passes/divergence.h"
#include "codegen/refusal.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

class Verifier : public hi::IRVisitor {
 public:
  explicit Verifier(bool emitted) : emitted_(emitted) {}
  std::string found;

 private:
  using IRVisitor::visit;

  // The memory of a device becomes an argument of a launch when the launch is split off.
  bool is_memory(const std::string& name) {
    return bound_[name] > 0 || name.starts_with("device.");
  }

  void complain(const std::string& what) {
    if (found.empty()) found = what;
  }

  // Buffers are passed as "argument.x.buffer", scalars as "argument.x".
  static bool is_argument(const hi::Variable* op) {
    const std::string& name = op->name;
    const bool named = name.starts_with("argument.");
    const bool scalar = named && !op->type.is_handle() && name.rfind('.') == name.find('.');
    const bool of_ranks = name == "team" || name.starts_with("partition.");
    return scalar || (named && name.ends_with(".buffer")) || of_ranks ||
           name.starts_with("parameter.") || name.starts_with("::");
  }

  template <typename Inside>
  void with(const std::string& name, bool may_shadow, const Inside& inside) {
    if (!may_shadow && bound_[name] > 0) complain("the loop " + name + " is inside itself");
    ++bound_[name];
    inside();
    --bound_[name];
  }

  void visit(const hi::Variable* op) override {
    if (!is_argument(op) && bound_[op->name] == 0) complain(op->name + " is not bound");
  }
  void visit(const hi::Let* op) override {
    op->value.accept(this);
    with(op->name, true, [&] { op->body.accept(this); });
  }
  void visit(const hi::LetStmt* op) override {
    op->value.accept(this);
    with(op->name, true, [&] { op->body.accept(this); });
  }
  void visit(const hi::For* op) override {
    op->min.accept(this);
    op->extent.accept(this);
    with(op->name, false, [&] { op->body.accept(this); });
  }
  void visit(const hi::Allocate* op) override {
    for (const HExpr& extent : op->extents) extent.accept(this);
    if (op->new_expr.defined()) op->new_expr.accept(this);
    with(op->name, true, [&] { op->body.accept(this); });
  }
  void visit(const hi::Load* op) override {
    if (!is_memory(op->name)) complain("the memory " + op->name + " that is read is not bound");
    const int lanes = op->type.lanes();
    if (op->index.type().lanes() != lanes || op->predicate.type().lanes() != lanes)
      complain("a load of " + op->name + " has different lane counts");
    IRVisitor::visit(op);
  }
  void visit(const hi::Store* op) override {
    if (!is_memory(op->name)) complain("the memory " + op->name + " that is written is not bound");
    const int lanes = op->value.type().lanes();
    if (op->index.type().lanes() != lanes || op->predicate.type().lanes() != lanes)
      complain("a store to " + op->name + " has different lane counts");
    if (!reads_its_place(*op, emitted_))
      complain("an atomic step of " + op->name + " does not read the place that it stores to");
    IRVisitor::visit(op);
  }

  const bool emitted_;  // has no pass changed the statement yet?
  std::map<std::string, int> bound_;
};

}  // namespace

void verify(const HStmt& statement, const std::string& kernel, const std::string& pass) {
  Verifier verifier(pass == "emit");
  statement.accept(&verifier);
  if (!verifier.found.empty())
    throw cannot_generate("after pass '" + pass + "' of " + kernel + ": " + verifier.found);
  const std::string divergent = find_divergence(statement);
  if (!divergent.empty())
    throw cannot_generate("after pass '" + pass + "' of " + kernel +
                          ": threads may miss the barrier under " + divergent);
}

}  // namespace strata::halide
