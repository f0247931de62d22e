// The value of an Expr, given what its names stand for.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "tests/judge/scalar.h"

namespace strata::judge {

using Point = std::vector<std::int64_t>;

// An array as an argument of a call: lower <= index < lower + extent in each dimension.
struct ArrayView {
  Point lower, extent;
  std::function<Scalar(const Point&)> at;
};
using Argument = std::variant<Scalar, ArrayView>;

// What the leaves of an expression mean.  Each member throws where the name means nothing.
class Environment {
 public:
  virtual ~Environment() = default;
  virtual std::int64_t variable(const std::string& name);
  virtual std::int64_t parameter(const std::string& name);
  virtual Scalar access(const std::string& name, const Point& element);
  virtual Scalar load(const std::string& buffer, const Point& index);
  // An index that should lie in lower <= index < upper, and what it counts as where it does not.
  virtual std::int64_t checked(std::int64_t index, std::int64_t lower, std::int64_t upper);
  // All of an array of layer I.
  virtual ArrayView array(const std::string& name);
  virtual Scalar call(const std::string& name, Type type, const std::vector<Argument>& args);
};

// Evaluates one expression again and again.  Nodes that the author shared are evaluated once each
// time; a select evaluates only the side it takes.
class Evaluator {
 public:
  explicit Evaluator(Expr e);
  Scalar operator()(Environment& environment);

 private:
  struct Result {
    bool known = false;
    Scalar value;
  };

  Scalar evaluate(const Expr& e);
  Scalar compute(const Expr& e);
  Scalar reduce(const Expr& e, std::size_t depth, Scalar so_far);
  std::int64_t iterator(const std::string& name);
  Point indices(const Expr& e);
  std::vector<Scalar> operands(const Expr& e);
  std::vector<Argument> arguments(const Expr& e);
  ArrayView array_in_buffer(const Expr& e);
  void forget();

  Expr root_;
  std::unordered_map<const ExprNode*, Result> shared_;
  std::unordered_map<std::string, std::int64_t> reduced_;  // iterators of the reductions around
  Environment* environment_ = nullptr;
};

Scalar evaluate(const Expr& e, Environment& environment);

}  // namespace strata::judge
