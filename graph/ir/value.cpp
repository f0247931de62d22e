#include "graph/ir/value.h"

#include <algorithm>

#include "graph/ir/module.h"

namespace strata::graph {

const ValueType& Value::type() const { return node_->type; }
bool Value::is_variable() const { return node_ && node_->as<Variable>(); }
const std::string& Value::name() const { return node_->variable().name; }

Value::Value(const NDArray& array)
    : node_(std::make_shared<const ValueNode>(
          ValueNode{ArrayConstant{array}, array.defined() ? type_of(array) : ValueType()})) {}

namespace {

Value made(ValueNode::Kind kind, ValueType type) {
  return Value(std::make_shared<const ValueNode>(ValueNode{std::move(kind), std::move(type)}));
}

// The depth of nested calls in an operand, also in the fields of tuples.
int depth_of(const Value& operand) {
  if (!operand.defined()) return 0;
  if (const auto* call = operand.node()->as<Unbound>()) return call->depth + 1;
  const auto* tuple = operand.node()->as<TupleOf>();
  return tuple ? tuple->depth : 0;
}

int greatest_depth(const Values& operands) {
  int depth = 0;
  for (const Value& operand : operands) depth = std::max(depth, depth_of(operand));
  return depth;
}

}  // namespace

Value variable(const std::string& name, const ValueType& type, bool is_local) {
  return made(Variable{name, is_local}, type);
}
Value shape_value(const Shape& dims) { return made(ShapeLiteral{dims}, ValueType::shape(dims)); }
Value tuple_value(const Values& fields, const Where& where) {
  std::vector<ValueType> types;
  for (const Value& field : fields) {
    if (!field.defined())
      throw Request{"a tuple", where}.refused(Code::E0601_malformed_graph, "a field is undefined",
                                              "give a value");
    types.push_back(field.type());
  }
  return made(TupleOf{fields, greatest_depth(fields)}, ValueType::tuple(std::move(types), where));
}
Value global_value(const std::string& name) {
  return made(GlobalName{name}, ValueType::function());
}

Value text_value(const std::string& text) { return made(TextLiteral{text}, ValueType()); }

namespace {

constexpr int most_nested_calls = 1000;

}  // namespace

Value unbound(Definition definition, const ValueType& stated, const Where& where) {
  const int depth = greatest_depth(operands_of(definition));
  if (depth > most_nested_calls)
    throw Request{"a call", where}.refused(
        Code::E0601_malformed_graph,
        "calls are nested more than " + std::to_string(most_nested_calls) + " deep",
        "bind them with emit(..)");
  return made(Unbound{std::make_shared<const Definition>(std::move(definition)), stated, depth},
              {});
}

void for_each_operand(const Definition& definition, const std::function<void(const Value&)>& f) {
  std::visit(
      [&]<typename D>(const D& d) {
        if constexpr (std::is_same_v<D, KernelCall>)
          for (const Value& value : d.extents) f(value);
        if constexpr (std::is_same_v<D, Branch>)
          f(d.condition);
        else if constexpr (requires { d.arguments; })
          for (const Value& value : d.arguments) f(value);
        else
          f(d.of);
      },
      definition);
}

Values operands_of(const Definition& definition) {
  Values all;
  for_each_operand(definition, [&](const Value& value) { all.push_back(value); });
  return all;
}

std::vector<ValueType> types_of(const Values& values) {
  std::vector<ValueType> types;
  for (const Value& value : values) types.push_back(value.type());
  return types;
}

Line::Line(const Where& where) {
  thread_local std::shared_ptr<const Where> last;
  if (!last || last->line != where.line || last->file != where.file)
    last = std::make_shared<const Where>(where);
  where_ = last;
}

Line::operator const Where&() const {
  static const Where nowhere = {};
  return where_ ? *where_ : nowhere;
}

Definition with_operands(const Definition& definition,
                         const std::function<Value(const Value&)>& f) {
  return std::visit(
      [&](auto d) -> Definition {
        using D = decltype(d);
        const auto replace = [&](Values& all) {
          for (Value& value : all) value = f(value);
        };
        if constexpr (std::is_same_v<D, KernelCall>) replace(d.extents);
        if constexpr (std::is_same_v<D, Branch>)
          d.condition = f(d.condition);
        else if constexpr (requires { d.arguments; })
          replace(d.arguments);
        else
          d.of = f(d.of);
        return d;
      },
      definition);
}

Shape own_dims(const Definition& definition) {
  if (const auto* match = std::get_if<MatchShape>(&definition)) return match->pattern;
  if (const auto* kernel = std::get_if<KernelCall>(&definition)) return kernel->integers;
  Shape dims;
  if (const auto* call = std::get_if<OperatorCall>(&definition))
    for (const Attributes::Entry& entry : call->attributes.entries())
      if (const Shape* shape = std::get_if<Shape>(&entry.value)) dims = dims.appended(*shape);
  return dims;
}

Definition with_own_dims(const Definition& definition, const std::function<Expr(const Expr&)>& f) {
  Definition made = definition;
  const auto replace = [&](Shape& dims) {
    for (Expr& dim : dims) dim = f(dim);
  };
  if (auto* match = std::get_if<MatchShape>(&made)) replace(match->pattern);
  if (auto* kernel = std::get_if<KernelCall>(&made)) replace(kernel->integers);
  if (const auto* given = std::get_if<OperatorCall>(&definition))
    for (const Attributes::Entry& entry : given->attributes.entries())
      if (const Shape* shape = std::get_if<Shape>(&entry.value)) {
        Shape dims = *shape;
        replace(dims);
        std::get<OperatorCall>(made).attributes.set(entry.name, dims);
      }
  return made;
}

void for_each_variable(const Value& leaf, const std::function<void(const Value&)>& f) {
  if (leaf.is_variable()) f(leaf);
  if (const auto* tuple = leaf.node()->as<TupleOf>())
    for (const Value& field : tuple->fields) for_each_variable(field, f);
}

Value with_variables(const Value& leaf, const std::function<Value(const Value&)>& f) {
  if (leaf.is_variable()) return f(leaf);
  const auto* tuple = leaf.node()->as<TupleOf>();
  if (!tuple) return leaf;
  Values fields;
  for (const Value& field : tuple->fields) fields.push_back(with_variables(field, f));
  return fields == tuple->fields ? leaf : tuple_value(fields);
}

}  // namespace strata::graph
