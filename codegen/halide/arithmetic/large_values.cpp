#include "codegen/halide/arithmetic/large_values.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

constexpr int most_nodes = 3000;

// Counts the nodes of an expression, shared ones once per use, up to the limit.
class Nodes : public hi::IRMutator {
 public:
  using hi::IRMutator::mutate;
  HExpr mutate(const HExpr& e) override {
    return ++count_ > most_nodes ? e : hi::IRMutator::mutate(e);
  }
  bool too_many() const { return count_ > most_nodes; }

 private:
  int count_ = 0;
};

class LargeValues : public hi::IRMutator {
 public:
  using hi::IRMutator::mutate;
  HExpr mutate(const HExpr& e) override { return with_large_value_shared(e); }
};

}  // namespace

HExpr with_large_value_shared(const HExpr& e) {
  Nodes nodes;
  nodes.mutate(e);
  return nodes.too_many() ? hi::common_subexpression_elimination(e) : e;
}

HStmt with_large_values_shared(const HStmt& statement) { return LargeValues().mutate(statement); }

}  // namespace strata::halide
