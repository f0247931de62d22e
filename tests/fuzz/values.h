// Random expressions for the values of computations.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "tests/fuzz/extremes.h"
#include "tests/fuzz/random.h"
#include "tests/fuzz/shapes.h"

namespace strata::fuzz {

// An array that can be read.
struct Known {
  std::string name;
  const Shape* shape;
  Type type;
};

class Values {
 public:
  // Adds the kinds that it draws to "kinds".
  Values(Random& random, Type type, Extremes& extremes, std::set<std::string>& kinds)
      : random_(random), type_(type), extremes_(extremes), kinds_(kinds) {}

  Type type() const { return type_; }
  // A value for the instance with these iterators, from one to three elements of "sources".
  Expr value(const std::vector<std::string>& iterators, const std::vector<Known>& sources);
  // The same, but also reads "self" at a lexicographically earlier element.
  Expr recurrence(const Known& self, const std::vector<std::string>& iterators,
                  const std::vector<Known>& sources);
  // self(element) (+) a value of "sources".
  Expr step(const Known& self, const std::vector<Expr>& element,
            const std::vector<std::string>& iterators, const std::vector<Known>& sources);
  // self(t - 1, i - 1 .. i + 1)
  Expr step_in_time(const Known& self);
  // A data-dependent index below N; if N = 0 no element exists.
  Expr data_index(const std::string& iterator);
  // A condition on data.
  Expr data_condition(const std::string& iterator);

 private:
  Expr number(std::int64_t value);
  Expr converted(const Expr& e);
  Expr mixed(const Expr& a, const Expr& b);
  Expr read(const Known& known, const std::vector<Expr>& element);
  Expr near(const std::string& iterator);
  Expr index(const std::vector<std::string>& iterators);
  Expr any_read(const Known& known, const std::vector<std::string>& iterators);

  Random& random_;
  Type type_;
  Extremes& extremes_;
  std::set<std::string>& kinds_;
};

}  // namespace strata::fuzz
