#include "graph/builder/visitor.h"

namespace strata::graph {

void Visitor::function(const GraphFunction& f) {
  for (const Value& parameter : f.parameters) bound(parameter);
  body(f.body);
}

void Visitor::body(const Body& body) {
  for (const Block& b : body.blocks) block(b);
  leaf(body.result);
}

void Visitor::block(const Block& block) {
  for (const Binding& b : block.bindings) binding(b);
}

void Visitor::binding(const Binding& b) {
  for_each_operand(*b.definition, [this](const Value& operand) { leaf(operand); });
  for (const Expr& d : own_dims(*b.definition)) dim(d);
  if (const auto* branch = b.as<Branch>()) {
    body(*branch->then);
    body(*branch->otherwise);
  }
  bound(b.value);
}

void Visitor::leaf(const Value& leaf) {
  if (const auto* tuple = leaf.node()->as<TupleOf>())
    for (const Value& field : tuple->fields) this->leaf(field);
  if (const auto* shape = leaf.node()->as<ShapeLiteral>())
    for (const Expr& d : shape->dims) dim(d);
}

void Visitor::bound(const Value& variable) {
  for (const Expr& d : dims_in(variable.type())) dim(d);
}

}  // namespace strata::graph
