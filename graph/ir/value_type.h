// What is known of a value before it is computed: its kind, its extents, its element type.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/type.h"
#include "graph/dim/dim.h"
#include "graph/tensor/exprs.h"

namespace strata::graph {

class Value;
struct ValueNode;

// An immutable handle. The extents of a tensor, or the numbers of a shape, are one of
//   dims      (n, 4)   over the symbols of the function
//   a value   %s       what this variable, a shape that is computed first, holds
//   unknown   (_, _)   of a known rank, or _ of any
// Texts: Tensor[(n, 4), float32], Tensor[%s, float32], Tensor[(_, _), float32], Tensor[_, _],
// Shape[(n, m)], Shape[(_, _)], Shape, (Tensor[..], Shape), Function, Object, Nothing.
class ValueType {
 public:
  enum class Kind { tensor, shape, tuple, function, object, nothing };

  ValueType();  // Object: nothing is known
  static ValueType tensor(Shape dims, std::optional<Type> element);
  static ValueType tensor(const Value& shape, std::optional<int> rank, std::optional<Type> element);
  static ValueType tensor(std::optional<int> rank, std::optional<Type> element);
  static ValueType shape(Shape dims);
  static ValueType shape(std::optional<int> rank);
  // E0601 if tuples are nested more than 100 deep, or have more than a million fields, including
  // the fields of fields: the text repeats each of them.
  static ValueType tuple(std::vector<ValueType> fields, const Where& where = Where::here());
  static ValueType function();
  static ValueType nothing();

  Kind kind() const { return node_->kind; }
  bool is_tensor() const { return kind() == Kind::tensor; }
  bool is_shape() const { return kind() == Kind::shape; }
  bool is_tuple() const { return kind() == Kind::tuple; }
  // The dims of a tensor or shape.
  const std::optional<Shape>& dims() const { return node_->dims; }
  // The node of the variable that holds the extents, or null.
  const std::shared_ptr<const ValueNode>& extents() const { return node_->extents; }
  std::optional<int> rank() const { return node_->rank; }
  // The element type of a tensor.
  const std::optional<Type>& element() const { return node_->element; }
  // The fields of a tuple.
  const std::vector<ValueType>& fields() const { return node_->fields; }

  const std::string& text() const { return node_->text; }
  // Equal texts: dims are compared by their normal forms.
  friend bool operator==(const ValueType& a, const ValueType& b) {
    return a.node_ == b.node_ || a.text() == b.text();
  }

 private:
  struct Node {
    Kind kind = Kind::object;
    std::optional<Shape> dims = {};
    std::shared_ptr<const ValueNode> extents = {};
    std::optional<int> rank = {};
    std::optional<Type> element = {};
    std::vector<ValueType> fields = {};
    int depth = 0;          // of nested tuples
    std::int64_t size = 1;  // the number of types in it: itself, its fields, ..
    std::string text = {};
  };
  explicit ValueType(Node node);

  std::shared_ptr<const Node> node_;
};

// Does a value of type "given" have the type "wanted"? Yes: always. No: never. Unknown: "given"
// does not say, or it depends on the symbols.
Answer belongs_to(const ValueType& given, const ValueType& wanted);
// The type that says what both types say.
ValueType joined(const ValueType& a, const ValueType& b);

// All dims in the type, in order.
Shape dims_in(const ValueType& type);
// The type with f(dim) for each dim. If f gives an undefined Expr, only the number of dims of that
// tensor or shape is known.
ValueType with_dims(const ValueType& type, const std::function<Expr(const Expr&)>& f);

// The type without variables that hold extents: only the rank is known there.
ValueType without_variables(const ValueType& type);
// The variables that hold extents in the type, in order.
std::vector<Value> extents_in(const ValueType& type);
// The type with f(variable) for each of these variables: another variable, or a shape.
ValueType with_extents(const ValueType& type, const std::function<Value(const Value&)>& f);

}  // namespace strata::graph
