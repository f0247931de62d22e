#include <vector>

#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

const char* const stand_in = "strata.launch";

class TakenOut : public hi::IRMutator {
 public:
  std::vector<HStmt> launches;

 private:
  using IRMutator::visit;
  HStmt visit(const hi::For* op) override {
    if (op->for_type != hi::ForType::GPUBlock) return IRMutator::visit(op);
    launches.emplace_back(op);
    const HExpr number = HExpr(std::int32_t(launches.size() - 1));
    return hi::Evaluate::make(
        hi::Call::make(Halide::Int(32), stand_in, {number}, hi::Call::Extern));
  }
};

class PutBack : public hi::IRMutator {
 public:
  explicit PutBack(const std::vector<HStmt>& launches) : launches_(launches) {}

 private:
  using IRMutator::visit;
  HStmt visit(const hi::Evaluate* op) override {
    const auto* call = op->value.as<hi::Call>();
    if (!call || call->name != stand_in) return op;
    return launches_[std::size_t(*hi::as_const_int(call->args[0]))];
  }
  const std::vector<HStmt>& launches_;
};

}  // namespace

HStmt outside_launches(const HStmt& statement, HStmt (*pass)(const HStmt&)) {
  TakenOut taken;
  const HStmt host = taken.mutate(statement);
  return PutBack(taken.launches).mutate(pass(host));
}

}  // namespace strata::halide
