#include "codegen/tree/operations.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace strata {

namespace {

bool is_arithmetic(Op op) {
  return op != Op::constant && op != Op::variable && op != Op::parameter && op != Op::named &&
         op != Op::cast && op != Op::load;
}

// Counts the operations of a value; indices of loads are not values.
double operations_of(const Expr& e, std::set<const ExprNode*>& seen) {
  if (!e.defined() || !seen.insert(e.identity()).second || e.op() == Op::load) return 0;
  double sum = is_arithmetic(e.op()) ? 1 : 0;
  for (const Expr& argument : e.args()) sum += operations_of(argument, seen);
  return sum;
}

}  // namespace

double arithmetic(const Execute& execute) {
  std::set<const ExprNode*> seen;
  double sum = operations_of(execute.value, seen);
  for (const Execute::Other& other : execute.others) sum += operations_of(other.value, seen);
  return sum;
}

void visit_values(const Execute& execute, const std::function<void(const Expr&)>& visitor) {
  visit(execute.value, visitor);
  for (const Execute::Other& other : execute.others) visit(other.value, visitor);
}

std::vector<Expr> loads_of(const Execute& execute) {
  std::vector<Expr> loads;
  visit_values(execute, [&](const Expr& e) {
    const auto is_same = [&](const Expr& other) { return same(e, other); };
    if (e.op() == Op::load && std::none_of(loads.begin(), loads.end(), is_same)) loads.push_back(e);
  });
  return loads;
}

bool depends_on(const Expr& e, const std::string& variable) {
  return free_variables(e).count(variable) > 0;
}

bool depends_on(const std::vector<Expr>& list, const std::string& variable) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Expr& e) { return depends_on(e, variable); });
}

bool depends_on_data(const Expr& e) {
  bool found = false;
  visit(e, [&](const Expr& part) {
    found = found || part.op() == Op::load || part.op() == Op::call || part.op() == Op::checked;
  });
  return found;
}

std::optional<double> inverse_of_divisor(const Expr& quotient) {
  const Expr& c = quotient.args()[1];
  if (c.op() != Op::constant) return std::nullopt;
  const double wide = 1 / c.node().real;
  const float narrow = float(wide);
  if (quotient.type() == Type::float32)
    return std::isnormal(narrow) ? std::optional<double>(narrow) : std::nullopt;
  return std::isnormal(wide) ? std::optional(wide) : std::nullopt;
}

bool is_c_function(Op op) {
  return (Op::exp <= op && op <= Op::erf) || op == Op::pow || op == Op::atan2 || op == Op::call;
}

}  // namespace strata
