// Values and what binds them.
//
// A program is in A-normal form (Flanagan et al., PLDI 1993): arguments are leaves, and each result
// has a variable. Everything is immutable and shared; a variable is equal only to itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/error.h"
#include "graph/ir/value_type.h"
#include "graph/operator/attributes.h"
#include "graph/operator/layout.h"
#include "graph/vm/ndarray.h"

namespace strata::graph {

struct ValueNode;
struct Body;

// A leaf, or a call that has no variable yet: GraphBuilder::emit gives it one.
class Value {
 public:
  Value() = default;  // no value
  explicit Value(std::shared_ptr<const ValueNode> node) : node_(std::move(node)) {}
  // An array is a constant.
  Value(const NDArray& array);

  bool defined() const { return node_ != nullptr; }
  const std::shared_ptr<const ValueNode>& node() const { return node_; }
  const ValueType& type() const;
  bool is_variable() const;
  // The name of a variable.
  const std::string& name() const;

  // The same variable, or the same node of a constant.
  friend bool operator==(const Value&, const Value&) = default;
  friend auto operator<=>(const Value&, const Value&) = default;

 private:
  std::shared_ptr<const ValueNode> node_;
};
using Values = std::vector<Value>;

// The depth of nested bodies: those of branches, and that of the function.
constexpr int most_nested_bodies = 100;

// ---- what a variable is bound to ----

// An operator of the registry on tensors; an argument that is a tuple stands for its fields.
struct OperatorCall {
  std::string callee;
  Values arguments;
  Attributes attributes = {};
  Layouts layouts = {};  // how the tensors and the results are stored
};
// A graph function of the module.
struct FunctionCall {
  std::string callee;
  Values arguments;
};
// A call of a kernel of the module, or of a packed function. The callee gets the arguments, the
// arrays that it writes, and the integers, in this order. The call makes arrays of these extents,
// and returns them, as a tuple if there are several. It is pure.
struct KernelCall {
  std::string callee;
  bool is_packed = false;
  Values extents;  // shapes, one for each result
  Values arguments;
  Shape integers = {};              // symbols that are not by themselves an extent of an argument
  std::vector<Type> elements = {};  // of the results of a packed function
};
// A call of a function that is found by its name when the program runs. The function may do
// anything, unless the call is marked as pure.
struct PackedCall {
  std::string callee;
  Values arguments;
  bool is_pure = false;
};
struct ShapeOf {
  Value of;
};
struct FieldOf {
  Value of;
  int index = 0;
};
struct Alias {
  Value of;
};
// The value, with "pattern" as its extents (or as its numbers, if it is a shape). A dim that is a
// symbol without a value defines the symbol. The other dims are checked when the program runs.
struct MatchShape {
  Value of;
  Shape pattern;
};
struct Branch {
  Value condition;  // a boolean tensor of rank 0
  std::shared_ptr<const Body> then, otherwise;
};
using Definition = std::variant<OperatorCall, FunctionCall, KernelCall, PackedCall, ShapeOf,
                                FieldOf, Alias, MatchShape, Branch>;

// ---- values ----

struct Variable {
  std::string name;
  bool is_local = false;   // seen inside its dataflow block only
  bool is_stated = false;  // an author gave the type; printed
};
struct ArrayConstant {
  NDArray array;
};
struct ShapeLiteral {
  Shape dims;
};
struct TupleOf {
  Values fields;
  int depth = 0;  // of nested calls in its fields
};
struct GlobalName {
  std::string name;
};
struct TextLiteral {
  std::string text;
};
struct Unbound {
  std::shared_ptr<const Definition> definition;
  ValueType stated = {};
  int depth = 0;  // of nested calls, also through tuples
};

struct ValueNode {
  using Kind = std::variant<Variable, ArrayConstant, ShapeLiteral, TupleOf, GlobalName, TextLiteral,
                            Unbound>;
  Kind kind;
  ValueType type = {};

  const Variable& variable() const { return std::get<Variable>(kind); }
  template <typename T>
  const T* as() const {
    return std::get_if<T>(&kind);
  }
};

Value variable(const std::string& name, const ValueType& type, bool is_local = false);
Value shape_value(const Shape& dims);
// E0601 if a field is undefined.
Value tuple_value(const Values& fields, const Where& where = Where::here());
Value global_value(const std::string& name);
Value text_value(const std::string& text);
// E0601 if calls are nested more than 1000 deep.
Value unbound(Definition definition, const ValueType& stated = {},
              const Where& where = Where::here());

// ---- calls without a variable ----

// An operator. An undefined value among the arguments is refused where the call is bound.
inline Value call(const std::string& name, const Values& arguments,
                  const Attributes& attributes = {}) {
  return unbound(OperatorCall{name, arguments, attributes});
}
inline Value call_function(const std::string& name, const Values& arguments) {
  return unbound(FunctionCall{name, arguments});
}
// "extents" has one shape for each result. For a packed function, give also the types of its
// results.
inline Value call_kernel(const Values& extents, const std::string& kernel, const Values& arguments,
                         const Shape& integers = {}) {
  return unbound(KernelCall{kernel, false, extents, arguments, integers, {}});
}
inline Value call_packed_kernel(const Values& extents, const std::string& name,
                                const Values& arguments, const std::vector<Type>& elements,
                                const Shape& integers = {}) {
  return unbound(KernelCall{name, true, extents, arguments, integers, elements});
}
// The author must give the type of the result: nothing else tells it.
inline Value call_packed(const std::string& name, const Values& arguments,
                         const ValueType& result = {}, bool is_pure = false) {
  return unbound(PackedCall{name, arguments, is_pure}, result);
}
inline Value shape_of(const Value& of) { return unbound(ShapeOf{of}); }
inline Value field(const Value& of, int index) { return unbound(FieldOf{of, index}); }

// ---- programs ----

// A line of an author's code. Consecutive bindings from one line share it.
class Line {
 public:
  Line() = default;
  Line(const Where& where);
  operator const Where&() const;

 private:
  std::shared_ptr<const Where> where_;
};

struct Binding {
  Value value;  // the variable
  std::shared_ptr<const Definition> definition;
  Line where = {};

  template <typename T>
  const T* as() const {
    return std::get_if<T>(definition.get());
  }
};
// A dataflow block is pure: it has no branch, and no packed call without the mark "pure".
struct Block {
  bool is_dataflow = false;
  std::vector<Binding> bindings;
};
struct Body {
  std::vector<Block> blocks;
  Value result;  // a leaf
};

// The operands of a definition, in order, without bindings inside a branch.
Values operands_of(const Definition& definition);
void for_each_operand(const Definition& definition, const std::function<void(const Value&)>& f);
// The definition with f(operand) for each operand.
Definition with_operands(const Definition& definition, const std::function<Value(const Value&)>& f);
std::vector<ValueType> types_of(const Values& values);
// The dims of a definition outside of its operands: in attributes, integers and patterns.
Shape own_dims(const Definition& definition);
Definition with_own_dims(const Definition& definition, const std::function<Expr(const Expr&)>& f);

// Calls f(variable) for each variable in a leaf.
void for_each_variable(const Value& leaf, const std::function<void(const Value&)>& f);
// The leaf with f(variable) for each variable; the same leaf if none changes.
Value with_variables(const Value& leaf, const std::function<Value(const Value&)>& f);

}  // namespace strata::graph
