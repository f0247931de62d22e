// Windows that move over the last dimensions of x (n, c, spatial..).
#pragma once

#include <vector>

#include "graph/onnx/rows.h"

namespace strata::graph::onnx {

struct WindowOf {
  Shape size;
  Integers strides, before, after, dilation;  // before and after x are zeros, or nothing

  // The place in x that offset k of window i reads; it may be outside.
  Expr place(const Expr& i, const Expr& k, std::size_t d) const {
    return i * strides[d] - before[d] + k * dilation[d];
  }
};

// The windows by the attributes strides, pads, auto_pad and dilations, for this size of window and
// these extents.
WindowOf window_of(Node& n, int rank, const Shape& size, const Shape& extents);
// (n, c, positions..) for windows over the first operand. ceil_mode also counts windows that begin
// in it and end outside.
Shape pooled_shape(Node& n, const WindowOf& w);

std::vector<Axis> axes_of(const WindowOf& w);
// An element of a window: its place, whether the place is in x, and the value there.
struct WindowElement {
  Indices place;
  Expr is_inside, value;
};
WindowElement element_at(const Tensor& x, const WindowOf& w, const Indices& i,
                         const std::vector<Axis>& k);

// The convolution with weights (o, c / groups, window..).
Value convolved(Node& n, const Value& x, const Value& w, const WindowOf& window,
                std::int64_t groups);

}  // namespace strata::graph::onnx
