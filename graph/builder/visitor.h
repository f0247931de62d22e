// Walks over programs.
#pragma once

#include "graph/ir/module.h"

namespace strata::graph {

// Visits every part of a function once, in the order of the text. An override that still wants to
// visit the parts inside calls the function that it overrides.
class Visitor {
 public:
  virtual ~Visitor() = default;

  virtual void function(const GraphFunction& f);
  virtual void body(const Body& body);
  virtual void block(const Block& block);
  // The operands and dims of the definition, the bodies of a branch, and then the variable.
  virtual void binding(const Binding& binding);
  virtual void leaf(const Value& leaf);       // visits the fields of a tuple, the dims of a shape
  virtual void bound(const Value& variable);  // at its binding, or a parameter
  virtual void dim(const Expr&) {}
};

}  // namespace strata::graph
