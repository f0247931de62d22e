#include "reference/evaluate.h"

#include <stdexcept>
#include <unordered_set>

namespace strata::reference {

namespace {

[[noreturn]] void unknown(const std::string& kind, const std::string& name) {
  throw std::runtime_error("unknown " + kind + " " + name);
}

// The nodes with several parents, which a walk along every edge would visit repeatedly.
void find_shared(const Expr& e, std::unordered_set<const ExprNode*>& seen,
                 std::vector<const ExprNode*>& shared) {
  if (e.args().empty()) return;
  if (!seen.insert(e.identity()).second) {
    shared.push_back(e.identity());
    return;
  }
  for (const Expr& arg : e.args()) find_shared(arg, seen, shared);
}

}  // namespace

std::int64_t Environment::variable(const std::string& name) { unknown("iterator", name); }
std::int64_t Environment::parameter(const std::string& name) { unknown("parameter", name); }
Scalar Environment::access(const std::string& name, const Point&) { unknown("array", name); }
Scalar Environment::load(const std::string& buffer, const Point&) { unknown("buffer", buffer); }
std::int64_t Environment::checked(std::int64_t index, std::int64_t lower, std::int64_t upper) {
  if (index < lower || index >= upper) throw std::runtime_error("an index is out of range");
  return index;
}
ArrayView Environment::array(const std::string& name) { unknown("array", name); }
Scalar Environment::call(const std::string& name, Type, const std::vector<Argument>&) {
  unknown("function", name);
}

Evaluator::Evaluator(Expr e) : root_(std::move(e)) {
  std::unordered_set<const ExprNode*> seen;
  std::vector<const ExprNode*> shared;
  find_shared(root_, seen, shared);
  for (const ExprNode* node : shared) shared_[node];
}

Scalar Evaluator::operator()(Environment& environment) {
  environment_ = &environment;
  forget();
  return evaluate(root_);
}

void Evaluator::forget() {
  for (auto& [node, result] : shared_) result.known = false;
}

Scalar Evaluator::evaluate(const Expr& e) {
  if (shared_.empty() || e.args().empty()) return compute(e);
  const auto found = shared_.find(e.identity());
  if (found == shared_.end()) return compute(e);
  if (!found->second.known) found->second = {true, compute(e)};
  return found->second.value;
}

Scalar Evaluator::compute(const Expr& e) {
  const ExprNode& node = e.node();
  switch (node.op) {
    case Op::invalid: throw std::runtime_error("invalid expression: " + node.name);
    case Op::constant:
      return is_float(node.type) ? real_scalar(node.type, node.real)
                                 : integer_scalar(node.type, node.integer);
    case Op::variable: return integer_scalar(Type::int64, iterator(node.name));
    case Op::parameter: return integer_scalar(Type::int64, environment_->parameter(node.name));
    case Op::access: return environment_->access(node.name, indices(e));
    case Op::load: return environment_->load(node.name, indices(e));
    case Op::checked: {
      const Point all = indices(e);
      return integer_scalar(Type::int64, environment_->checked(all[0], all[1], all[2]));
    }
    case Op::named: return evaluate(e.args()[0]);
    case Op::call: return environment_->call(node.name, node.type, arguments(e));
    case Op::reduce: return reduce(e, 0, identity(node.reduction, node.type));
    case Op::cast: return cast_to(node.type, evaluate(e.args()[0]));
    case Op::select: return evaluate(e.args()[evaluate(e.args()[0]).bits != 0 ? 1 : 2]);
    default: return apply(node.op, node.type, operands(e));
  }
}

// Combines the contributions of a reduction in lexicographic order of its iterators.
Scalar Evaluator::reduce(const Expr& e, std::size_t depth, Scalar so_far) {
  const ExprNode& node = e.node();
  if (depth == node.variables.size())
    return combined(node.reduction, so_far, evaluate(e.args()[0]));
  const Var& v = node.variables[depth];
  const auto lower = std::int64_t(integer_of(evaluate(v.lower())));
  const auto upper = std::int64_t(integer_of(evaluate(v.upper())));
  for (std::int64_t i = lower; i < upper; ++i) {
    reduced_[v.name()] = i;
    forget();
    so_far = reduce(e, depth + 1, so_far);
  }
  reduced_.erase(v.name());
  forget();
  return so_far;
}

std::int64_t Evaluator::iterator(const std::string& name) {
  if (!reduced_.empty())
    if (const auto found = reduced_.find(name); found != reduced_.end()) return found->second;
  return environment_->variable(name);
}

Point Evaluator::indices(const Expr& e) {
  Point result;
  for (const Expr& index : e.args()) result.push_back(std::int64_t(integer_of(evaluate(index))));
  return result;
}

std::vector<Scalar> Evaluator::operands(const Expr& e) {
  std::vector<Scalar> result;
  for (const Expr& arg : e.args()) result.push_back(evaluate(arg));
  return result;
}

std::vector<Argument> Evaluator::arguments(const Expr& e) {
  std::vector<Argument> result;
  for (const Expr& arg : e.args()) {
    if (arg.op() != Op::array)
      result.emplace_back(evaluate(arg));
    else if (arg.args().empty())
      result.emplace_back(environment_->array(arg.name()));
    else
      result.emplace_back(array_in_buffer(arg));
  }
  return result;
}

// In a loop tree: element e is at places[0] + sum_k (e_k - lower_k) (places[k + 1] - places[0]).
ArrayView Evaluator::array_in_buffer(const Expr& e) {
  const std::size_t rank = e.args().size() / 3;
  std::vector<Point> places;
  for (std::size_t n = 0; n <= rank; ++n) places.push_back(indices(e.args()[n]));
  ArrayView view;
  for (std::size_t k = 0; k < rank; ++k) {
    view.lower.push_back(std::int64_t(integer_of(evaluate(e.args()[rank + 1 + k]))));
    view.extent.push_back(std::int64_t(integer_of(evaluate(e.args()[2 * rank + 1 + k]))));
  }
  view.at = [=, environment = environment_, name = e.name(), lower = view.lower](const Point& p) {
    Point place = places[0];
    for (std::size_t k = 0; k < p.size(); ++k)
      for (std::size_t d = 0; d < place.size(); ++d)
        place[d] += (p[k] - lower[k]) * (places[k + 1][d] - places[0][d]);
    return environment->load(name, place);
  };
  return view;
}

Scalar evaluate(const Expr& e, Environment& environment) { return Evaluator(e)(environment); }

}  // namespace strata::reference
