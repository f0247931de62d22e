#include "codegen/halide/passes/closures.h"

#include <limits>
#include <map>

#include "codegen/halide/passes/outlining.h"
#include "codegen/halide/passes/passes.h"
#include "codegen/halide/work_note.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// Replaces each note of work by the work.
class NotedWork : public hi::IRMutator {
 private:
  using IRMutator::visit;
  HExpr visit(const hi::Call* op) override {
    return op->name == work_note ? op->args.at(0) : IRMutator::visit(op);
  }
};

// A loop without a note of its work counts as long.
HExpr unknown_work() { return HExpr(std::numeric_limits<double>::max()); }

// The new names of functions, by the names that Halide has given them.
struct Names {
  std::map<std::string, std::string> parallel, outlined;
};

// Renames functions (a call names one "::old"). Gives parallel loops to strata_run_parallel, which
// passes on the message of the thread that failed. A loop's work is what was noted last before it
// (work_note.h). What is outlined becomes a plain call.
class Finisher : public hi::IRMutator {
 public:
  explicit Finisher(const Names& names) : names_(names) {}

 private:
  using IRMutator::visit;

  HExpr visit(const hi::Variable* op) override {
    const auto found = names_.parallel.find(op->name);
    return found == names_.parallel.end() ? HExpr(op) : hi::Variable::make(op->type, found->second);
  }

  HExpr visit(const hi::Call* op) override {
    if (op->name != "halide_do_par_for") return IRMutator::visit(op);
    const auto outlined = names_.outlined.find(op->args.at(0).as<hi::Variable>()->name);
    if (outlined != names_.outlined.end())
      return hi::Call::make(op->type, outlined->second,
                            {hi::make_zero(Halide::Handle()), HExpr(0), mutate(op->args.back())},
                            hi::Call::Extern);
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

  // Work that is noted inside a let is used outside of it, too.
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

  const Names& names_;
  HExpr work_;
};

}  // namespace

std::vector<hi::LoweredFunc> split_off_closures(HStmt& body, const std::string& kernel,
                                                const Halide::Target& target) {
  std::vector<hi::LoweredFunc> closures;
  body = hi::lower_parallel_tasks(with_rests_outlined(body), closures, kernel, target);
  Names names;
  for (hi::LoweredFunc& closure : closures) {
    const bool outlined = is_outlined(closure.args.at(1).name);
    auto& all = outlined ? names.outlined : names.parallel;
    const std::string name =
        kernel + (outlined ? ".rest." : ".parallel.") + std::to_string(all.size());
    all["::" + closure.name] = outlined ? name : "::" + name;
    closure.name = name;
  }
  body = Finisher(names).mutate(body);
  for (hi::LoweredFunc& closure : closures) closure.body = Finisher(names).mutate(closure.body);
  return closures;
}

}  // namespace strata::halide
