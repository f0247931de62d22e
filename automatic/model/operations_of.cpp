#include "automatic/model/operations_of.h"

#include <algorithm>
#include <map>
#include <set>

namespace strata::automatic {

namespace {

double cost_of(const Expr& e) {
  switch (e.op()) {
    case Op::constant:
    case Op::variable:
    case Op::parameter:
    case Op::access:
    case Op::named:
    case Op::negate:
    case Op::array: return 0;
    case Op::cast: return bytes(e.type()) == bytes(e.args()[0].type()) ? 0.5 : 1;
    case Op::sqrt: return 6;
    case Op::div:
    case Op::mod: return e.args()[1].op() == Op::constant ? 1 : 4;
    case Op::exp:
    case Op::log:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::asinh:
    case Op::acosh:
    case Op::atanh:
    case Op::erf:
    case Op::pow:
    case Op::atan2:
    case Op::call: return 12;
    default: return 1;
  }
}

bool is_sum(const Expr& e) { return e.op() == Op::add || e.op() == Op::sub; }

// Is one of the operands of a sum a product, so that both are one operation?
bool has_product(const Expr& sum) {
  for (const Expr& operand : sum.args())
    if (operand.op() == Op::mul && is_float(operand.type())) return true;
  return false;
}

double operations(const Expr& e, std::set<const ExprNode*>& seen) {
  if (!e.defined() || !seen.insert(e.identity()).second) return 0;
  double sum = cost_of(e);
  if (is_sum(e) && has_product(e)) sum -= 1;
  if (e.op() == Op::access) return sum;  // arithmetic of indices does not count
  for (const Expr& operand : e.args()) sum += operations(operand, seen);
  return sum;
}

double latency_of(const Expr& e, const Machine& machine) {
  const double cost = cost_of(e);
  if (cost == 0) return 0;
  if (!is_float(e.type())) return 1;
  const bool is_slow = e.op() == Op::div || e.op() == Op::sqrt;
  return machine.fma_latency * (is_slow ? 3 : cost > 6 ? 10 : 1);
}

}  // namespace

double operations_of(const Definition& definition) {
  std::set<const ExprNode*> seen;
  double sum = operations(definition.value, seen) + operations(definition.predicate, seen);
  for (const Component& c : definition.others) sum += operations(c.value, seen);
  const bool product =
      definition.value.defined() && definition.value.op() == Op::mul && is_float(definition.type);
  if (definition.reduction && !product) sum += 1;
  return sum;
}

double chain_of(const Definition& definition, std::size_t read, const Machine& machine) {
  double longest = 0;
  std::size_t reads = 0;
  for_each_expression(definition, [&](const Expr& whole) {
    std::map<const ExprNode*, double> since;  // cycles since the read, of what is made of it
    visit(whole, [&](const Expr& e) {
      double latest = e.op() == Op::access && reads++ == read ? 0 : -1;
      for (const Expr& operand : e.args())
        if (const auto known = since.find(operand.identity()); known != since.end())
          latest = std::max(latest, known->second + latency_of(e, machine));
      if (latest >= 0) since[e.identity()] = latest;
    });
    if (const auto known = since.find(whole.identity()); known != since.end())
      longest = std::max(longest, known->second);
  });
  return longest;
}

}  // namespace strata::automatic
