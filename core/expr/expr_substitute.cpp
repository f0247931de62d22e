// Free iterators, and their substitution by values.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/expr/expr_parts.h"

namespace strata {

namespace {

class Free {
 public:
  const std::set<std::string>& operator()(const Expr& e) {
    if (auto found = done_.find(e.identity()); found != done_.end()) return found->second;
    std::set<std::string> names;
    if (e.op() == Op::variable) names.insert(e.name());
    for (const Expr& arg : e.args()) names.merge(std::set<std::string>((*this)(arg)));
    // A bound may use earlier iterators.
    const std::vector<Var>& variables = e.node().variables;
    for (auto v = variables.rbegin(); v != variables.rend(); ++v) {
      names.erase(v->name());
      if (!v->has_range()) continue;
      for (const Expr& bound : {v->lower(), v->upper()})
        names.merge(std::set<std::string>((*this)(bound)));
    }
    return done_.emplace(e.identity(), std::move(names)).first->second;
  }

 private:
  std::unordered_map<const ExprNode*, std::set<std::string>> done_;
};

// Substitutes values for free iterators. A reduced iterator with the name of an iterator inside
// such a value is renamed, so that the value keeps its meaning.
class Substitution {
 public:
  explicit Substitution(std::map<std::string, Expr> values) : values_(std::move(values)) {}

  Expr operator()(const Expr& e) {
    if (values_.empty()) return e;
    if (auto found = done_.find(e.identity()); found != done_.end()) return found->second;
    Expr result = replaced(e);
    done_.emplace(e.identity(), result);
    return result;
  }

 private:
  Expr replaced(const Expr& e) {
    if (e.op() == Op::reduce) return under_reduction(e);
    if (e.op() == Op::variable) {
      const auto value = values_.find(e.name());
      return value == values_.end() ? e : as_index(value->second, "the value of " + e.name());
    }
    std::vector<Expr> args;
    for (const Expr& arg : e.args()) args.push_back((*this)(arg));
    return rebuilt(e, e.node().variables, std::move(args));
  }

  // Each iterator hides its name in later bounds and in the body.
  Expr under_reduction(const Expr& e) {
    const std::set<std::string> captured = names_in_values(free_variables(e));
    const auto& over = e.node().variables;
    if (std::none_of(over.begin(), over.end(), [&](const Var& v) {
          return captured.count(v.name()) || values_.count(v.name());
        }))
      return under_harmless(e);
    std::set<std::string> taken = captured;
    taken.merge(free_variables(e));
    for (const Var& v : over) taken.insert(v.name());
    Substitution inside(values_);
    std::vector<Var> variables;
    for (const Var& v : over) {
      const std::string name = captured.count(v.name()) ? untaken(v.name(), taken) : v.name();
      if (v.has_range())
        variables.emplace_back(name, inside(v.lower()), inside(v.upper()));
      else
        variables.emplace_back(name);
      inside.bind(v.name(), name);
    }
    return rebuilt(e, std::move(variables), {inside(e.args()[0])});
  }

  // If no iterator has a name that matters, results for parts are the same inside and outside.
  Expr under_harmless(const Expr& e) {
    std::vector<Var> variables;
    for (const Var& v : e.node().variables)
      variables.push_back(v.has_range() ? Var(v.name(), (*this)(v.lower()), (*this)(v.upper()))
                                        : v);
    return rebuilt(e, std::move(variables), {(*this)(e.args()[0])});
  }

  void bind(const std::string& name, const std::string& new_name) {
    values_.erase(name);
    if (new_name != name) values_.emplace(name, variable(new_name));
    done_.clear();
  }

  std::set<std::string> names_in_values(const std::set<std::string>& replaced) const {
    std::set<std::string> names;
    for (const auto& [name, value] : values_)
      if (replaced.count(name)) names.merge(free_variables(value));
    return names;
  }

  static std::string untaken(const std::string& name, std::set<std::string>& taken) {
    std::string candidate = name;
    for (int n = 1; !taken.insert(candidate).second; ++n)
      candidate = name + "_" + std::to_string(n);
    return candidate;
  }

  std::map<std::string, Expr> values_;
  std::unordered_map<const ExprNode*, Expr> done_;
};

}  // namespace

std::set<std::string> free_variables(const Expr& e) {
  return e.defined() ? Free{}(e) : std::set<std::string>{};
}

Expr substitute(const Expr& e, const std::function<Expr(const std::string&)>& value_of) {
  std::map<std::string, Expr> values;
  for (const std::string& name : free_variables(e))
    if (Expr value = value_of(name); value.defined()) values.emplace(name, value);
  return e.defined() ? Substitution{std::move(values)}(e) : e;
}

}  // namespace strata
