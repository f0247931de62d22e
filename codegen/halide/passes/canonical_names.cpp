#include <map>
#include <string>

#include "codegen/halide/passes/fresh_names.h"
#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// Halide's own names are a letter and a number, or a name, '$' and a number (without the '$' if it
// has not used the name before). Strata's names have a dot; Halide may add its own suffix to them.
bool is_made_up(const std::string& name) {
  if (name.find('$') != std::string::npos) return true;
  return name.find('.') == std::string::npos;
}

// Renames bound variables, in the order of the statement. Every binding gets its own number, so
// shadowing needs no special case.
class Renamer : public hi::IRMutator {
 private:
  using IRMutator::visit;

  std::string renamed(const std::string& name) {
    if (!is_made_up(name)) return name;
    const std::string stem = name.substr(0, name.find('.'));
    const bool plain = stem == name || stem.find('$') == std::string::npos;
    return (plain ? "t" : stem.substr(0, stem.find('$'))) + ".n" + std::to_string(count_++) + "$";
  }

  template <typename Inside>
  auto with(const std::string& name, std::string& given, const Inside& inside) {
    given = renamed(name);
    const auto before = names_.find(name);
    const std::string hidden = before == names_.end() ? "" : before->second;
    names_[name] = given;
    auto result = inside();
    if (hidden.empty())
      names_.erase(name);
    else
      names_[name] = hidden;
    return result;
  }

  HExpr visit(const hi::Variable* op) override {
    const auto found = names_.find(op->name);
    if (found == names_.end()) return op;
    return hi::Variable::make(op->type, found->second, op->image, op->param, op->reduction_domain);
  }
  HExpr visit(const hi::Let* op) override {
    const HExpr value = mutate(op->value);
    std::string name;
    const HExpr body = with(op->name, name, [&] { return mutate(op->body); });
    return hi::Let::make(name, value, body);
  }
  HStmt visit(const hi::LetStmt* op) override {
    const HExpr value = mutate(op->value);
    std::string name;
    const HStmt body = with(op->name, name, [&] { return mutate(op->body); });
    return hi::LetStmt::make(name, value, body);
  }
  // The suffix of the name of a launch's loop tells Halide which loop it is.
  HStmt visit(const hi::For* op) override {
    const bool of_launch =
        op->for_type == hi::ForType::GPUBlock || op->for_type == hi::ForType::GPUThread;
    if (of_launch) return IRMutator::visit(op);
    const HExpr min = mutate(op->min), extent = mutate(op->extent);
    std::string name;
    const HStmt body = with(op->name, name, [&] { return mutate(op->body); });
    return hi::For::make(name, min, extent, op->for_type, op->partition_policy, op->device_api,
                         body);
  }

  HStmt visit(const hi::Allocate* op) override {
    std::vector<HExpr> extents;
    for (const HExpr& e : op->extents) extents.push_back(mutate(e));
    const HExpr condition = mutate(op->condition);
    const HExpr made = op->new_expr.defined() ? mutate(op->new_expr) : HExpr();
    std::string name;
    const HStmt body = with(op->name, name, [&] { return mutate(op->body); });
    return hi::Allocate::make(name, op->type, op->memory_type, extents, condition, body, made,
                              op->free_function, op->padding);
  }
  HExpr visit(const hi::Load* op) override {
    return hi::Load::make(op->type, name_of(op->name), mutate(op->index), op->image, op->param,
                          mutate(op->predicate), op->alignment);
  }
  HStmt visit(const hi::Store* op) override {
    return hi::Store::make(name_of(op->name), mutate(op->value), mutate(op->index), op->param,
                           mutate(op->predicate), op->alignment);
  }
  HStmt visit(const hi::Free* op) override { return hi::Free::make(name_of(op->name)); }

  std::string name_of(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? name : found->second;
  }

  std::map<std::string, std::string> names_;
  int count_ = 0;
};

}  // namespace

HStmt with_canonical_names(const HStmt& statement) {
  align_fresh_names();
  return Renamer().mutate(statement);
}

// The names are t0, t1, ..; making the next one is the only way to read the counter.
void align_fresh_names() {
  constexpr long most_in_one_pass = 50'000;
  const auto next = [] { return std::stol(hi::unique_name('t').substr(1)); };
  for (long count = next(), power = 10;; power *= 10) {
    if (power <= count) continue;
    if (power - count > most_in_one_pass) return;
    while (count < power) count = next();
  }
}

}  // namespace strata::halide
