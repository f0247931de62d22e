// Helpers for operators. Their errors name the operator and its arguments.
#pragma once

#include <string>

#include "graph/dim/dim.h"
#include "graph/tensor/tensor.h"

namespace strata::graph {

class Writer {
 public:
  Writer(std::string name, const Where& where) : name_(std::move(name)), where_(where) {}

  const std::string& name() const { return name_; }
  const Where& where() const { return where_; }

  template <typename F>
  auto compute(const Shape& shape, const F& f, const std::string& part = "") const {
    return graph::compute(shape, f, part.empty() ? name_ : name_ + "_" + part, where_);
  }
  // A compute that has the elements of the tensor that it reads, in order.
  Tensor view(const Shape& shape, const std::function<Expr(const Indices&)>& f) const;

  // An E0602.
  Error refused(const std::string& explanation, const std::string& mend = "") const;

  // The axis counted from 0, of a tensor of "rank" dimensions.
  int axis(std::int64_t given, int rank) const;
  // All axes if none are given; in order, each once.
  std::vector<int> axes(const std::vector<std::int64_t>& given, int rank) const;

  void require_rank(const char* argument, const Tensor& t, int rank) const;
  void require_least_rank(const char* argument, const Tensor& t, int rank) const;
  void require_same_type(const char* a, const Tensor& x, const char* b, const Tensor& y) const;
  // Throws unless the extents are provably equal.
  void require_equal(const char* a, const Tensor& x, int d, const char* b, const Tensor& y,
                     int e) const;
  // Throws unless y has the type of x, and the extents of x on the axes.
  void require_extents(const char* b, const Tensor& y, const char* a, const Tensor& x,
                       const std::vector<int>& axes) const;
  // Throws unless there are tensors, all with one type and equal extents on all axes but one.
  void require_alike(const std::vector<Tensor>& tensors, int except = -1) const;
  // The extent as a number. Throws if it is a symbol.
  std::int64_t require_constant(const char* argument, const Tensor& t, int d) const;

  // The extents to which two shapes are broadcast, as numpy does.
  Shape broadcast(const Shape& a, const Shape& b) const;

 private:
  std::string name_;
  Where where_;
};

// The value as a constant of the type; an integer is cut off towards 0.
Expr typed(Type type, double value);

// 1 / (1 + exp(-v))
Expr sigmoid_of(const Expr& v);

// The number of elements.
Expr product_of(const Shape& shape);
bool is_one(const Expr& extent);
bool provably_divides(std::int64_t divisor, const Expr& extent);
// The indices in "t" for the indices "i" in a shape that t is broadcast to.
Indices broadcast_indices(const Tensor& t, const Indices& i);

}  // namespace strata::graph
