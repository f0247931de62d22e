#include "codegen/halide/passes/closures.h"

#include <limits>
#include <map>

#include "codegen/halide/passes/passes.h"
#include "codegen/halide/work_note.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// The work in place of its note.
class NotedWork : public hi::IRMutator {
 private:
  using IRMutator::visit;
  HExpr visit(const hi::Call* op) override {
    return op->name == work_note ? op->args.at(0) : IRMutator::visit(op);
  }
};

// A loop whose work nobody has noted is long.
HExpr unknown_work() { return HExpr(std::numeric_limits<double>::max()); }

// Renames functions (a call names one "::old"), and gives parallel loops to strata_run_parallel,
// which passes on the message of the thread that failed. A loop's work is what was noted last
// before it (work_note.h).
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
    arguments.push_back(work_.defined() ? work_ : unknown_work());
    return hi::Call::make(op->type, "strata_run_parallel", arguments, hi::Call::Extern);
  }

  HStmt visit(const hi::Evaluate* op) override {
    const HExpr value = mutate(op->value);
    HExpr work = NotedWork().mutate(value);
    if (work.same_as(value)) return hi::Evaluate::make(value);
    work_ = work;
    return hi::Evaluate::make(0);
  }

  // Work that was noted inside is used outside, too.
  HStmt visit(const hi::LetStmt* op) override {
    const HExpr value = mutate(op->value), before = work_;
    const HStmt body = mutate(op->body);
    if (work_.defined() && !work_.same_as(before)) work_ = hi::Let::make(op->name, value, work_);
    return hi::LetStmt::make(op->name, value, body);
  }

  HStmt visit(const hi::For* op) override {
    const HStmt loop = IRMutator::visit(op);
    work_ = HExpr();
    return loop;
  }

  const std::map<std::string, std::string>& names_;
  HExpr work_;
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
