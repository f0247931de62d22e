#include "core/expr/tuple.h"

#include <limits>

#include "core/expr/expr_typing.h"

namespace strata {

namespace {

Expr operand(const std::string& side, std::size_t number, Type type) {
  return access(side + "_" + std::to_string(number), type, {});
}

Expr mistake(const std::string& explanation) {
  return invalid(Code::E0106_bad_argument, explanation);
}

// A scalar of a step, in the type of its identity; it may contain only operands and constants.
Expr checked_step(const Expr& step, Type type, const std::string& name) {
  if (!step.defined()) return mistake("a step of " + name + " is an undefined Expr");
  if (step.op() == Op::invalid) return step;
  bool closed = true;
  visit(step, [&](const Expr& e) {
    const bool foreign = e.op() == Op::variable || e.op() == Op::parameter ||
                         e.op() == Op::reduce || e.op() == Op::array;
    const bool operand =
        !e.node().owner && (e.name().rfind("left_", 0) == 0 || e.name().rfind("right_", 0) == 0);
    const bool other = e.op() == Op::access && !operand;
    closed = closed && !foreign && !other;
  });
  if (!closed) return mistake("a step of " + name + " uses more than its two operands");
  if (const auto fit = fitted(step, type)) return *fit;
  return invalid(Code::E0110_types_do_not_mix, "a step of " + name + " gives " +
                                                   to_string(step.type()) + " for an identity of " +
                                                   to_string(type));
}

// If r is better than l, or equal and lexicographically earlier: r, else l.
std::vector<Expr> better(const std::vector<Expr>& l, const std::vector<Expr>& r, Op comparison) {
  Expr before = r.back() < l.back();
  for (std::size_t n = r.size() - 1; n-- > 1;) before = r[n] < l[n] || (r[n] == l[n] && before);
  const Expr right = make(comparison, {r[0], l[0]}) || (r[0] == l[0] && before);
  std::vector<Expr> taken;
  for (std::size_t n = 0; n < l.size(); ++n) taken.push_back(select(right, r[n], l[n]));
  return taken;
}

Tuple extreme(const std::string& name, Reduction kind, Op comparison, std::vector<Var> over,
              const Expr& body) {
  if (auto bad = bad_operand({body}, name)) return {{*bad}, {}, {}};
  if (over.empty()) return {{mistake(name + " needs an iterator to run over")}, {}, {}};
  if (body.type() == Type::boolean)
    return {{invalid(Code::E0110_types_do_not_mix,
                     name + " takes a number, not boolean; write cast(int32, ..)")},
            {},
            {}};
  std::vector<Expr> identities{identity_of(kind, body.type())}, values{settled(body)};
  for (const Var& k : over) {
    identities.push_back(constant(i64, std::numeric_limits<std::int64_t>::max()));
    values.push_back(k);
  }
  const Reducer reducer(name, identities,
                        [&](const auto& a, const auto& b) { return better(a, b, comparison); });
  return {std::move(values), std::move(over), reducer};
}

}  // namespace

Expr left_operand(std::size_t number, Type type) { return operand("left", number, type); }
Expr right_operand(std::size_t number, Type type) { return operand("right", number, type); }

Reducer::Reducer(std::string name, const Scalars& identities, const Step& step)
    : name_(std::move(name)) {
  Scalars a, b;
  for (const Expr& identity : identities) {
    identities_.push_back(identity.defined()
                              ? settled(identity)
                              : mistake("an identity of " + name_ + " is an undefined Expr"));
    const Type type = identities_.back().type();
    a.push_back(left_operand(a.size(), type));
    b.push_back(right_operand(b.size(), type));
  }
  steps_ = step(a, b);
  if (steps_.size() != identities_.size())
    steps_.assign(identities_.size(),
                  mistake("the step of " + name_ + " gives " + std::to_string(steps_.size()) +
                          " scalars for " + std::to_string(identities_.size()) + " identities"));
  for (std::size_t n = 0; n < steps_.size(); ++n)
    steps_[n] = checked_step(steps_[n], identities_[n].type(), name_);
}

std::vector<Expr> applied(const std::vector<Expr>& steps, const std::vector<Expr>& a,
                          const std::vector<Expr>& b) {
  std::vector<Expr> result;
  for (const Expr& step : steps)
    result.push_back(rewrite(step, [&](const Expr& e) -> Expr {
      if (e.op() != Op::access) return {};
      for (std::size_t n = 0; n < a.size(); ++n) {
        if (e.name() == left_operand(n, e.type()).name()) return a[n];
        if (e.name() == right_operand(n, e.type()).name()) return b[n];
      }
      return {};
    }));
  return result;
}

Tuple tuple(std::vector<Expr> values) { return {std::move(values), {}, {}}; }

Tuple reduce(const Reducer& reducer, std::vector<Var> over, std::vector<Expr> contribution) {
  if (over.empty()) contribution = {mistake(reducer.name() + " needs an iterator to run over")};
  return {std::move(contribution), std::move(over), reducer};
}

Tuple argmin(std::vector<Var> over, Expr body) {
  return extreme("argmin", Reduction::minimum, Op::lt, std::move(over), body);
}

Tuple argmax(std::vector<Var> over, Expr body) {
  return extreme("argmax", Reduction::maximum, Op::gt, std::move(over), body);
}

}  // namespace strata
