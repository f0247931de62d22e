#include "graph/compile/running.h"

#include "core/expr/expr_parts.h"
#include "graph/dim/dim.h"

namespace strata::graph {

namespace {

// The number of k at i = 0, if each step of i adds one k at the end.
std::optional<std::int64_t> count_at_0(const Var& k, const Var& i) {
  const std::string symbol = "step of " + i.name();  // no author's symbol
  const Expr length = substitute(k.upper() - k.lower(), [&](const std::string& name) {
    return name == i.name() ? parameter(symbol) : Expr();
  });
  if (!why_no_dim(length).empty()) return std::nullopt;
  return constant_dim(length - parameter(symbol));
}

bool uses(const Expr& e, const Var& i) { return free_variables(e).contains(i.name()); }

}  // namespace

std::optional<Expr> find_recurrence(const std::shared_ptr<const Operation>& op) {
  if (op->body().size() != 1 || op->body()[0].op() != Op::reduce) return std::nullopt;
  const Expr &value = op->body()[0], &e = value.args()[0];
  if (value.node().variables.size() != 1) return std::nullopt;
  const Var& k = value.node().variables[0];
  for (int d = 0; d < int(op->axis().size()); ++d) {
    const Var& i = op->axis()[d];
    if (uses(k.lower(), i) || uses(e, i)) continue;
    const auto count = count_at_0(k, i);
    if (count != 0 && count != 1) continue;
    const Reduction reduction = value.node().reduction;
    Indices before(op->axis().begin(), op->axis().end());
    before[d] = i - 1;
    const Expr previous = Tensor(op, 0)(before), identity = identity_of(reduction, value.type());
    const Expr last = substitute(
        e, [&](const std::string& name) { return name == k.name() ? k.upper() - 1 : Expr(); });
    const Expr is_first = i == 0;
    return count == 1 ? combine(reduction, select(is_first, identity, previous), last)
                      : select(is_first, identity, combine(reduction, previous, last));
  }
  return std::nullopt;
}

}  // namespace strata::graph
