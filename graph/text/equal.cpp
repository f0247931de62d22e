#include "graph/text/equal.h"

#include <map>
#include <unordered_map>

#include "graph/ir/table.h"
#include "graph/text/print.h"

namespace strata::graph {

namespace {

// A function with numbered variables and symbols.
class Numbered {
 public:
  GraphFunction function(const GraphFunction& f) {
    GraphFunction made = f;
    for (Value& parameter : made.parameters) note(dims_in(parameter.type()));
    for (Value& parameter : made.parameters) parameter = fresh(parameter);
    made.body = body(f.body);
    made.result = type(f.result);
    return made;
  }

 private:
  void note(const Shape& dims) {
    for (const Expr& dim : dims)
      for (const std::string& name : symbols_of(dim))
        symbols_.emplace(name, "s" + std::to_string(symbols_.size()));
  }

  Expr dim(const Expr& e) {
    note({e});
    return normal(
        with_symbols(e, [&](const std::string& name) { return parameter(symbols_.at(name)); }));
  }

  ValueType type(const ValueType& given) {
    if (!extents_in(given).empty())
      return with_dims(with_extents(given, [&](const Value& v) { return leaf(v); }),
                       [&](const Expr& e) { return dim(e); });
    if (const auto known = types_.find(given.text()); known != types_.end()) return known->second;
    const ValueType made = with_dims(given, [&](const Expr& e) { return dim(e); });
    return types_.emplace(given.text(), made).first->second;
  }

  Value fresh(const Value& variable) {
    Variable made = variable.node()->variable();
    made.name = "v" + std::to_string(variables_.size());
    const Value value(
        std::make_shared<const ValueNode>(ValueNode{std::move(made), type(variable.type())}));
    variables_.add(variable.node().get(), value);
    return value;
  }

  Value leaf(const Value& given) {
    if (given.is_variable()) {
      const Value* found = variables_.find(given.node().get());
      return found ? *found : given;
    }
    if (const auto* shape = given.node()->as<ShapeLiteral>()) {
      Shape dims;
      for (const Expr& e : shape->dims) dims.push_back(dim(e));
      return shape_value(dims);
    }
    const auto* tuple = given.node()->as<TupleOf>();
    if (!tuple) return given;
    Values fields;
    for (const Value& field : tuple->fields) fields.push_back(leaf(field));
    return tuple_value(fields);
  }

  Body body(const Body& given) {
    Body made;
    for (const Block& block : given.blocks) {
      if (block.bindings.empty()) continue;
      const bool joins =
          !made.blocks.empty() && !block.is_dataflow && !made.blocks.back().is_dataflow;
      if (!joins) made.blocks.push_back({block.is_dataflow, {}});
      for (const Binding& b : block.bindings) made.blocks.back().bindings.push_back(binding(b));
    }
    made.result = leaf(given.result);
    return made;
  }

  Binding binding(const Binding& b) {
    Definition made = with_operands(*b.definition, [&](const Value& v) { return leaf(v); });
    made = with_own_dims(made, [&](const Expr& e) { return dim(e); });
    if (auto* branch = std::get_if<Branch>(&made)) {
      branch->then = std::make_shared<const Body>(body(*branch->then));
      branch->otherwise = std::make_shared<const Body>(body(*branch->otherwise));
    }
    auto definition = std::make_shared<const Definition>(std::move(made));
    return {fresh(b.value), std::move(definition), b.where};
  }

  std::map<std::string, std::string> symbols_;
  std::unordered_map<std::string, ValueType> types_;  // by their texts
  Table<const ValueNode*, Value> variables_;
};

}  // namespace

std::string canonical_text(const Module& module) {
  std::string text;
  Module functions;
  for (const auto& [name, global] : module.globals()) {
    if (const auto* kernel = std::get_if<TensorKernel>(global.get()))
      text += "kernel @" + name + " of " + what_computes(*kernel) + "\n";
    if (const auto* f = std::get_if<GraphFunction>(global.get()))
      functions.set(Numbered().function(*f));
  }
  return text + text_of(functions);
}

bool is_equal(const Module& a, const Module& b) { return canonical_text(a) == canonical_text(b); }

}  // namespace strata::graph
