#include "codegen/halide/passes/closures.h"

#include <map>

#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// Renames functions (a call names one "::old"), and gives parallel loops to strata_run_parallel,
// which passes on the message of the thread that failed.
class Finisher : public hi::IRMutator {
 public:
  explicit Finisher(const std::map<std::string, std::string>& names) : names_(names) {}

 private:
  using IRMutator::visit;

  HExpr visit(const hi::Variable* op) override {
    const auto found = names_.find(op->name);
    return found == names_.end() ? HExpr(op) : hi::Variable::make(op->type, found->second);
  }

  HExpr visit(const hi::Call* op) override {
    if (op->name != "halide_do_par_for") return IRMutator::visit(op);
    std::vector<HExpr> arguments;
    for (const HExpr& argument : op->args) arguments.push_back(mutate(argument));
    return hi::Call::make(op->type, "strata_run_parallel", arguments, hi::Call::Extern);
  }

  const std::map<std::string, std::string>& names_;
};

}  // namespace

std::vector<hi::LoweredFunc> split_off_closures(HStmt& body, const std::string& kernel,
                                                const Halide::Target& target) {
  std::vector<hi::LoweredFunc> closures;
  body = hi::lower_parallel_tasks(body, closures, kernel, target);
  std::map<std::string, std::string> names;
  for (std::size_t i = 0; i < closures.size(); ++i) {
    const std::string name = kernel + ".parallel." + std::to_string(i);
    names["::" + closures[i].name] = "::" + name;
    closures[i].name = name;
  }
  body = Finisher(names).mutate(body);
  for (hi::LoweredFunc& closure : closures) closure.body = Finisher(names).mutate(closure.body);
  return closures;
}

}  // namespace strata::halide
