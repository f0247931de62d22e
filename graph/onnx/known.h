// Numbers that are known before the program runs: constants, and dims over the symbols of extents.
//
// A model computes the shapes that it needs: Shape, Gather, Mul, Concat, then Reshape. Such
// operators are computed here, on expressions: the operator's own tensor expression, with known
// elements instead of its accesses.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "graph/operator/operator.h"
#include "graph/vm/ndarray.h"

namespace strata::graph::onnx {

// A small tensor.
struct Known {
  Type type = i64;
  std::vector<std::int64_t> extents;
  std::vector<Expr> elements;  // constants of the type, or dims if that is an integer
};
using KnownRef = std::shared_ptr<const Known>;

// More elements are not followed.
constexpr std::size_t most_known = 1024;

// n >= 0 for each symbol n of a dim: symbols are extents.
std::vector<Expr> facts_of(const Expr& dim);

KnownRef known_dims(const Shape& dims);  // int64, in one dimension
// Null if there are too many elements.
KnownRef known_array(const NDArray& array);
// The elements as an array; nothing if one of them is a dim and not a constant.
std::optional<NDArray> constant_array(const Known& known);

// The results of the operator. Nothing if an element is neither a constant nor a dim, or if
// computing them would take long. E0602 if the operator refuses the tensors.
std::optional<std::vector<KnownRef>> folded(const Operator& op, const std::vector<KnownRef>& inputs,
                                            const Attributes& attributes, const Where& where);

}  // namespace strata::graph::onnx
