// Tensors and the operations that make them (tensor expressions, after TVM's te).
//
//   Param n("n");
//   const Tensor a = placeholder("a", f32, {n}), b = placeholder("b", f32, {n});
//   const Tensor c = compute({n}, [&](const Indices& i) { return a(i) + b(i); }, "c");
//   const Axis k = reduce_axis(n, "k");
//   const Tensor s = compute({}, [&](const Indices&) { return sum(k, c(k)); }, "s");
//
// Nothing here is scheduled or compiled: create_function (compile/function.h) makes a Function of
// tensors, evaluate (evaluate/evaluate.h) computes them. Tensors are handles of immutable
// operations and may be used in any thread.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.h"
#include "core/expr/expr.h"
#include "core/expr/tuple.h"
#include "graph/tensor/exprs.h"
#include "graph/vm/ndarray.h"

namespace strata::graph {

class Operation;

// An iterator that a reduction runs over.
using Axis = Var;

// One output of an operation.
class Tensor {
 public:
  Tensor() = default;  // no tensor
  Tensor(std::shared_ptr<const Operation> op, int index) : op_(std::move(op)), index_(index) {}

  bool defined() const { return op_ != nullptr; }
  const Operation& op() const { return *op_; }
  const std::shared_ptr<const Operation>& shared_op() const { return op_; }
  int index() const { return index_; }  // among the outputs of the operation

  std::string name() const;
  Type type() const;
  const Shape& shape() const;
  // Negative dimensions count from the end. E0106 if there is no such dimension.
  const Expr& shape(int dimension, const Where& where = Where::here()) const;
  int rank() const { return shape().rank(); }

  // The element at these indices: an access that leads to the operation (tensor_of). The compute
  // that gets the expression refuses a wrong number of indices (E0109), and indices of a float
  // type.
  Expr operator()(const Indices& indices) const;
  template <typename... Index>
    requires(std::convertible_to<Index, Expr> && ...)
  Expr operator()(const Index&... index) const {
    return (*this)(Indices{Expr(index)...});
  }

  // The same output of the same operation.
  friend bool operator==(const Tensor&, const Tensor&) = default;
  friend auto operator<=>(const Tensor&, const Tensor&) = default;

 private:
  std::shared_ptr<const Operation> op_;
  int index_ = 0;
};

struct TensorType {
  Shape shape;
  Type type;
};

// The kinds of operations.
struct Placeholder {};  // data from outside
struct Computed {
  std::vector<Var> axis;  // 0 <= axis[d] < shape[d]
  Tuple value;            // one scalar for each output; or the contributions of a reduction
  // Does it have the elements of the one tensor that it reads, in the same order?
  bool is_view = false;
  std::vector<Expr> assumptions = {};  // comparisons of dims that hold whenever it is computed
};
// A function on whole arrays, from the inputs to the outputs.
using ArrayFunction = std::function<std::vector<NDArray>(const std::vector<NDArray>&)>;
struct Extern {
  std::vector<Tensor> inputs;
  ArrayFunction function;
};

// An operation is the maker of its accesses, so an access in a body leads to the tensor that it
// reads.
class Operation : public Maker {
 public:
  using Made = std::variant<Placeholder, Computed, Extern>;
  Operation(std::string name, std::vector<TensorType> outputs, Made made, Where where);
  ~Operation() override;

  const std::vector<TensorType>& outputs() const { return outputs_; }
  // The name of an output, which its accesses print: c, or c_0 and c_1.
  std::string output_name(int index) const;
  const Where& where() const { return where_; }  // the author's call

  bool is_placeholder() const { return std::holds_alternative<Placeholder>(made_); }
  const Computed* computed() const { return std::get_if<Computed>(&made_); }
  const Extern* external() const { return std::get_if<Extern>(&made_); }

  // Of a compute: its iterators, the reduced ones, and the value of each output.
  const std::vector<Var>& axis() const;
  std::vector<Var> reduce_axis() const;
  const std::vector<Expr>& body() const;

 private:
  std::vector<TensorType> outputs_;
  Made made_;
  Where where_;
};

// The tensor that an access reads; undefined if no tensor made the access.
Tensor tensor_of(const Expr& access);
// The tensors that an operation reads. Their order is that of the bodies, in each body from the
// parts to the whole, with the indices of an access before the access. Each tensor counts once, at
// its first occurrence.
std::vector<Tensor> input_tensors(const Operation& op);

// Data from outside. Errors: E0105 the name is not an identifier, E0602 an extent is not a dim, or
// is negative.
Tensor placeholder(const std::string& name, Type type, const Shape& shape,
                   const Where& where = Where::here());

// 0 <= name < extent, or lower <= name < upper. Two axes always differ, even if their names are
// equal. An axis is called k'7 until a compute reduces over it; there it is called k, or k_1 if k
// is taken.
Axis reduce_axis(const Expr& lower, const Expr& upper, const std::string& name);
inline Axis reduce_axis(const Expr& extent, const std::string& name) {
  return reduce_axis(Expr(std::int64_t{0}), extent, name);
}
// A text about expressions with the authors' names of axes: "k" for "k'7".
std::string author_text(const std::string& text);

// The form of a compute: the names of its iterators (missing ones are i0, i1, ..), and its
// assumptions. The value at the iterators is a tuple with one scalar for each output.
struct ComputeForm {
  std::vector<std::string> iterators = {};
  bool is_view = false;
  std::vector<Expr> assumptions = {};  // kernels check them when they are called
};
std::vector<Tensor> compute_tuple(const Shape& shape, const ComputeForm& form,
                                  const std::function<Tuple(const Indices&)>& value,
                                  const std::string& name, const Where& where);

// E0109 if there are not "count" indices.
void require_rank(const Indices& i, int count, const std::string& name, const Where& where);

// f(i), or f(i[0], i[1], ..).
template <typename F>
auto called(const F& f, const Indices& i, const std::string& name, const Where& where) {
  if constexpr (std::invocable<F, const Indices&>) {
    return f(i);
  } else if constexpr (std::invocable<F>) {
    require_rank(i, 0, name, where);
    return f();
  } else if constexpr (std::invocable<F, Expr>) {
    require_rank(i, 1, name, where);
    return f(i[0]);
  } else if constexpr (std::invocable<F, Expr, Expr>) {
    require_rank(i, 2, name, where);
    return f(i[0], i[1]);
  } else if constexpr (std::invocable<F, Expr, Expr, Expr>) {
    require_rank(i, 3, name, where);
    return f(i[0], i[1], i[2]);
  } else {
    require_rank(i, 4, name, where);
    return f(i[0], i[1], i[2], i[3]);
  }
}

// The tensor whose element at i is f(i).  f takes Indices, or at most 4 Exprs, one for each
// dimension. It returns one Expr, or several Exprs or a Tuple such as argmax(k, x(i, k)): then the
// result is a list of tensors, the outputs of one operation. A reduction must be the whole value
// (E0117). Other errors: E0105 the name is not an identifier, E0602 an extent, E0101 an array or
// iterator that is not known, and those of the expression itself, with the line of this call.
template <typename F>
auto compute(const Shape& shape, const F& f, const std::string& name = "compute",
             const Where& where = Where::here()) {
  const auto call = [&](const Indices& i) { return called(f, i, name, where); };
  using Value = std::invoke_result_t<decltype(call), const Indices&>;
  const auto value = [&](const Indices& i) -> Tuple {
    if constexpr (std::convertible_to<Value, Expr>)
      return tuple({Expr(call(i))});
    else if constexpr (std::same_as<Value, Tuple>)
      return call(i);
    else
      return tuple(std::vector<Expr>(call(i)));
  };
  std::vector<Tensor> made = compute_tuple(shape, {}, value, name, where);
  if constexpr (std::convertible_to<Value, Expr>)
    return made[0];
  else
    return made;
}

// A symbol that no other tensor has, for an extent that is known only from the result of a
// function.
Param fresh_symbol(const std::string& name);

// The results of a function on whole arrays. Extents that are known only from its results are fresh
// symbols.
std::vector<Tensor> external(const std::string& name, const std::vector<TensorType>& outputs,
                             const std::vector<Tensor>& inputs, const ArrayFunction& function,
                             const Where& where = Where::here());

}  // namespace strata::graph
