// The value of an Expr, given the meaning of its names.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "reference/scalar.h"

namespace strata::reference {

using Point = std::vector<std::int64_t>;

// An array passed to a call: lower <= index < lower + extent in each dimension.
struct ArrayView {
  Point lower, extent;
  std::function<Scalar(const Point&)> at;
};
using Argument = std::variant<Scalar, ArrayView>;

// The meaning of an expression's leaves. Each member throws for a name that has no meaning.
class Environment {
 public:
  virtual ~Environment() = default;
  virtual std::int64_t variable(const std::string& name);
  virtual std::int64_t parameter(const std::string& name);
  virtual Scalar access(const std::string& name, const Point& element);
  virtual Scalar load(const std::string& buffer, const Point& index);
  // The index to use: "index" itself if lower <= index < upper, otherwise a substitute.
  virtual std::int64_t checked(std::int64_t index, std::int64_t lower, std::int64_t upper);
  // A whole array of layer I, passed to a call.
  virtual ArrayView array(const std::string& name);
  virtual Scalar call(const std::string& name, Type type, const std::vector<Argument>& args);
};

// Evaluates one expression repeatedly. Shared nodes are evaluated once per evaluation; a select
// evaluates only the side it takes.
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
  std::unordered_map<std::string, std::int64_t> reduced_;  // iterators of the enclosing reductions
  Environment* environment_ = nullptr;
};

Scalar evaluate(const Expr& e, Environment& environment);

}  // namespace strata::reference
