#include "codegen/halide/emit/work.h"

#include <limits>

#include "codegen/halide/emit/expression.h"
#include "codegen/tree/work.h"

namespace strata::halide {

namespace {

using Halide::Internal::Let;

HExpr real(double value) { return Halide::Internal::FloatImm::make(Halide::Float(64), value); }

class WorkEmitter {
 public:
  WorkEmitter(const Scope& scope, double unit) : scope_(scope), unit_(unit) {}

  HExpr of(const Work& work) {
    HExpr sum = real(work.cycles / unit_);
    for (const RepeatedWork& part : work.loops) sum = sum + of(part);
    for (const ConditionalWork& part : work.conditions)
      sum = sum + Halide::select(ExpressionEmitter(scope_).index(part.condition), of(part.then),
                                 of(part.otherwise));
    return sum;
  }

 private:
  HExpr of(const RepeatedWork& part) {
    const For& loop = *part.loop;
    const std::string name = "work." + loop.variable;
    const auto named = [&](const char* what) {
      return Halide::Internal::Variable::make(Halide::Int(64), name + what);
    };
    ExpressionEmitter expressions(scope_);
    const HExpr lower = expressions.index(loop.lower);
    const HExpr first = named(".first"), steps = named(".steps");
    const HExpr count =
        loop.extent ? HExpr(*loop.extent)
                    : Halide::max(expressions.index(loop.upper) - first, HExpr(std::int64_t{0}));
    scope_.variables[loop.variable] = named(".middle");
    HExpr inside = of(part.inside);
    scope_.variables.erase(loop.variable);
    inside = Let::make(name + ".middle", first + steps / 2, inside);
    const HExpr product = Halide::cast(Halide::Float(64), steps) * inside;
    return Let::make(name + ".first", lower, Let::make(name + ".steps", count, product));
  }

  Scope scope_;
  double unit_;
};

}  // namespace

HExpr emitted_work(const For& loop, const Scope& scope, const Machine& machine) {
  const Work work = work_of(loop, machine);
  if (is_unknown(work)) return real(std::numeric_limits<double>::max());
  return WorkEmitter(scope, machine.parallel_start).of(work);
}

}  // namespace strata::halide
