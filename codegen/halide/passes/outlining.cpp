#include "codegen/halide/passes/outlining.h"

#include <map>
#include <set>
#include <utility>

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

constexpr int most_loops = 32;  // after which a function ends
const std::string prefix = "outlined.";
const char* const free_owned = "strata_free_owned";

// Counts the loops that become code of the same function.
class Loops : public hi::IRVisitor {
 public:
  static int in(const HStmt& s) {
    Loops loops;
    s.accept(&loops);
    return loops.count_;
  }

 private:
  using IRVisitor::visit;
  void visit(const hi::For* op) override {
    ++count_;
    if (op->for_type != hi::ForType::Parallel) IRVisitor::visit(op);
  }

  int count_ = 0;
};

// Walks over what is outside of all loops.
class Outlining {
 public:
  HStmt rest(const HStmt& s) {
    if (loops_ < most_loops || Loops::in(s) == 0) return inside(s);
    const int before = std::exchange(loops_, 0);
    const std::string variable = prefix + std::to_string(functions_++);
    const HStmt body = inside(s);
    loops_ = before;
    return hi::For::make(variable, 0, 1, hi::ForType::Parallel, Halide::Partition::Never,
                         Halide::DeviceAPI::None, body);
  }

 private:
  HStmt inside(const HStmt& s) {
    if (const auto* let = s.as<hi::LetStmt>())
      return hi::LetStmt::make(let->name, let->value, rest(let->body));
    if (const auto* block = s.as<hi::Block>()) {
      const HStmt first = rest(block->first);
      return hi::Block::make(first, rest(block->rest));
    }
    if (const auto* branch = s.as<hi::IfThenElse>()) {
      const HStmt then = rest(branch->then_case);
      return hi::IfThenElse::make(branch->condition, then,
                                  branch->else_case.defined() ? rest(branch->else_case) : HStmt());
    }
    if (const auto* a = s.as<hi::Allocate>())
      return hi::Allocate::make(a->name, a->type, a->memory_type, a->extents, a->condition,
                                rest(a->body), a->new_expr, a->free_function, a->padding);
    loops_ += Loops::in(s);
    return s;
  }

  int loops_ = 0;  // of the function so far
  int functions_ = 0;
};

// The names of memory that is not freed by the function that allocates it.
class FreedElsewhere : public hi::IRVisitor {
 public:
  static std::set<std::string> in(const HStmt& s) {
    FreedElsewhere all;
    s.accept(&all);
    return all.names_;
  }

 private:
  using IRVisitor::visit;
  void visit(const hi::For* op) override {
    const std::string before = function_;
    if (is_outlined(op->name)) function_ = op->name;
    IRVisitor::visit(op);
    function_ = before;
  }
  void visit(const hi::Allocate* op) override {
    allocated_in_[op->name] = function_;
    IRVisitor::visit(op);
  }
  void visit(const hi::Free* op) override {
    if (allocated_in_.at(op->name) != function_) names_.insert(op->name);
  }

  std::string function_;
  std::map<std::string, std::string> allocated_in_;
  std::set<std::string> names_;
};

// let owner = {pointer}: the memory is *owner, until that is null.
class Owners : public hi::IRMutator {
 public:
  explicit Owners(std::set<std::string> names) : names_(std::move(names)) {}

 private:
  using IRMutator::visit;
  HStmt visit(const hi::Allocate* op) override {
    if (!names_.count(op->name)) return IRMutator::visit(op);
    const HStmt body =
        hi::Allocate::make(op->name, op->type, op->memory_type, op->extents, op->condition,
                           mutate(op->body), owner(op->name), free_owned, op->padding);
    return hi::LetStmt::make(owner_name(op->name),
                             hi::Call::make(Halide::Handle(), hi::Call::make_struct, {op->new_expr},
                                            hi::Call::Intrinsic),
                             body);
  }
  HStmt visit(const hi::Free* op) override {
    if (!names_.count(op->name)) return op;
    const HExpr context = hi::make_zero(Halide::Handle());
    return hi::Evaluate::make(
        hi::Call::make(Halide::Int(32), free_owned, {context, owner(op->name)}, hi::Call::Extern));
  }

  static std::string owner_name(const std::string& name) { return name + ".owner"; }
  static HExpr owner(const std::string& name) {
    return hi::Variable::make(Halide::Handle(), owner_name(name));
  }

  std::set<std::string> names_;
};

}  // namespace

bool is_outlined(const std::string& variable) { return variable.starts_with(prefix); }

HStmt with_rests_outlined(const HStmt& body) {
  const HStmt all = Outlining().rest(body);
  return Owners(FreedElsewhere::in(all)).mutate(all);
}

}  // namespace strata::halide
