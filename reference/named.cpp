#include "reference/named.h"

#include <algorithm>
#include <stdexcept>

namespace strata::reference {

namespace {

// Iterators and parameters are known, arrays are not.
class WithoutData : public Environment {
 public:
  WithoutData(const Definition& definition, const Point& instance, const Parameters& parameters)
      : definition_(definition), instance_(instance), parameters_(parameters) {}
  std::int64_t variable(const std::string& name) override {
    const auto& names = definition_.iterators;
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? Environment::variable(name)
                             : instance_.at(std::size_t(at - names.begin()));
  }
  std::int64_t parameter(const std::string& name) override { return parameters_.at(name); }

 private:
  const Definition& definition_;
  const Point& instance_;
  const Parameters& parameters_;
};

class Walk {
 public:
  Walk(const Algorithm& algorithm, WithoutData& environment)
      : algorithm_(algorithm), environment_(environment) {}

  void visit(const Expr& e) {
    if (!seen_.insert(e.identity()).second) return;
    if (e.op() == Op::select) return visit_select(e);
    if (e.op() == Op::access || e.op() == Op::array) {
      Named named{algorithm_.array_of(e.name()), {}};
      for (const Expr& index : e.args()) named.indices.push_back(integer(index));
      found_.push_back(named);
    }
    for (const Expr& arg : e.args()) visit(arg);
  }
  std::vector<Named> found() { return std::move(found_); }

 private:
  void visit_select(const Expr& e) {
    visit(e.args()[0]);
    const auto condition = truth(e.args()[0]);
    if (condition != false) visit(e.args()[1]);
    if (condition != true) visit(e.args()[2]);
  }
  std::optional<std::int64_t> integer(const Expr& e) {
    try {
      return std::int64_t(integer_of(evaluate(e, environment_)));
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }
  // In Kleene's three-valued logic.
  std::optional<bool> truth(const Expr& e) {
    if (e.op() == Op::named) return truth(e.args()[0]);
    if (e.op() == Op::logical_and || e.op() == Op::logical_or) {
      const bool decides = e.op() == Op::logical_or;
      const auto a = truth(e.args()[0]), b = truth(e.args()[1]);
      if (a == decides || b == decides) return decides;
      return a && b ? std::optional(!decides) : std::nullopt;
    }
    const auto value = integer(e);
    return value ? std::optional(*value != 0) : std::nullopt;
  }

  const Algorithm& algorithm_;
  WithoutData& environment_;
  std::set<const ExprNode*> seen_;
  std::vector<Named> found_;
};

std::vector<Expr> expressions_of(const Definition& d) {
  std::vector<Expr> all{d.value, d.predicate};
  for (const Component& c : d.others) all.push_back(c.value);
  all.insert(all.end(), d.element.begin(), d.element.end());
  std::erase_if(all, [](const Expr& e) { return !e.defined(); });
  return all;
}

}  // namespace

std::vector<Named> named_by(const Algorithm& algorithm, const Definition& definition,
                            const Point& instance, const Parameters& parameters) {
  WithoutData environment(definition, instance, parameters);
  Walk walk(algorithm, environment);
  for (const Expr& e : expressions_of(definition)) walk.visit(e);
  return walk.found();
}

bool names(const std::vector<Named>& all, const std::string& array, const Point& element) {
  return std::any_of(all.begin(), all.end(), [&](const Named& named) {
    if (named.array != array) return false;
    for (std::size_t d = 0; d < named.indices.size(); ++d)
      if (named.indices[d] && *named.indices[d] != element.at(d)) return false;
    return true;
  });
}

}  // namespace strata::reference
