// Integers that stand for floats: x = scale (q - zero point).
#include <cmath>

#include "graph/onnx/array_of.h"
#include "graph/onnx/window.h"

namespace strata::graph::onnx {

namespace {

// v (c) at the axis of x. With blocks, repeats each number for the elements of its block.
Value along(Node& n, const Value& v, const Value& x, std::int64_t axis) {
  const std::int64_t block = n.integer("block_size", 0);
  if (n.rank(v) == 0 || (n.rank(v) == 1 && constant_dim(n.dims(v)[0]) == 1))
    return n.reshape(v, {});
  if (n.rank(v) == 1) {
    const int behind = n.rank(x) - int(axis) - 1;
    return behind > 0 ? n("expand_dims", {v}, NewAxesAttributes{1, behind}) : v;
  }
  if (block < 1 || n.rank(v) != n.rank(x)) throw n.refused("the scale does not fit its operand");
  const Shape dims = n.dims(v);
  const Value apart = n("expand_dims", {v}, NewAxesAttributes{axis + 1, 1});
  const Value wide =
      n("broadcast_to", {apart}, ShapeAttributes{dims.inserted(int(axis) + 1, block)});
  return n.reshape(wide, dims.with(int(axis), normal(dims[int(axis)] * block)));
}

std::int64_t axis_of(Node& n, const Value& x) {
  return n.rank(x) < 2 ? 0 : n.axis(n.integer("axis", 1), n.rank(x));
}

struct Range {
  double least, greatest;
};
Range range_of(Node& n, Type type) {
  if (!is_integer(type) || bits(type) > 16) throw n.unsupported("it is of " + to_string(type));
  const double half = std::ldexp(1.0, bits(type) - 1);
  return is_unsigned_integer(type) ? Range{0, 2 * half - 1} : Range{-half, half - 1};
}

// round(x / scale) + zero, cut off at the ends of the type.
Value quantized(Node& n, const Value& x, const Value& scale, const Value& zero, Type type) {
  const Range range = range_of(n, type);
  Value q = n.cast(n("round", {n("divide", {x, scale})}), f32);
  if (zero.defined()) q = n("add", {q, n.cast(zero, f32)});
  return n.cast(n("clip", {q}, ClipAttributes{range.least, range.greatest}), type);
}

Values quantize(Node& n) {
  const Value x = n.in(0);
  const std::int64_t axis = axis_of(n, x);
  const auto wanted = element_of(DataType(n.integer("output_dtype", 0)));
  if (n.integer("output_dtype", 0) != 0 && !wanted)
    throw n.unsupported("the result is of " + name_of(DataType(n.integer("output_dtype", 0))));
  const Type type = n.has(2) ? n.type(n.in(2)) : wanted.value_or(u8);
  const auto precision = element_of(DataType(n.integer("precision", 0)));
  const Type wide = precision.value_or(n.type(x));
  const Value scale = n.cast(along(n, n.in(1), x, axis), wide);
  const Value zero = n.has(2) ? along(n, n.in(2), x, axis) : Value();
  return {quantized(n, n.cast(x, wide), scale, zero, type)};
}

Values dequantize(Node& n) {
  const Value x = n.in(0);
  const std::int64_t axis = axis_of(n, x);
  const auto wanted = element_of(DataType(n.integer("output_dtype", 0)));
  const Value scale = along(n, n.in(1), x, axis);
  Value q = n.cast(x, f32);
  if (n.has(2)) q = n("subtract", {q, n.cast(along(n, n.in(2), x, axis), f32)});
  const Value y = n("multiply", {q, n.cast(scale, f32)});
  return {n.cast(y, wanted.value_or(n.type(n.in(1))))};
}

// The scale and zero point for the range of x, which has 0 in it.
Values dynamic_quantize(Node& n) {
  const Value x = n.in(0), zero = n.scalar(f32, 0);
  const Value most = n("maximum", {n("max", {x}, ReduceAttributes{}), zero});
  const Value least = n("minimum", {n("min", {x}, ReduceAttributes{}), zero});
  const Value scale = n("divide", {n("subtract", {most, least}), n.scalar(f32, 255)});
  const Value place = n("round", {n("divide", {n("negative", {least}), scale})});
  const Value point = n.cast(n("clip", {place}, ClipAttributes{0, 255}), u8);
  return {quantized(n, x, scale, point, u8), scale, point};
}

// x - zero as int32; without a zero point, x.
Value shifted(Node& n, const Value& x, int zero, std::int64_t axis) {
  const Value wide = n.cast(x, i32);
  if (!n.has(zero)) return wide;
  return n("subtract", {wide, n.cast(along(n, n.in(zero), x, axis), i32)});
}

Values matmul_integer(Node& n) {
  const Value a = n.in(0), b = n.in(1);
  return {n("matmul", {shifted(n, a, 2, n.rank(a) - 2), shifted(n, b, 3, n.rank(b) - 1)})};
}

// A product of integers, times a factor, as integers of another scale.
Value rescaled(Node& n, const Value& y, const Value& factor, int scale, int zero) {
  const Value real = n("multiply", {n.cast(y, f32), factor});
  return quantized(n, real, n.cast(n.reshape(n.in(scale), {}), f32), n.reshape(n.in(zero), {}),
                   n.type(n.in(zero)));
}

Values qlinear_matmul(Node& n) {
  const Value a = n.in(0), b = n.in(3);
  const Value left = shifted(n, a, 2, n.rank(a) - 2), right = shifted(n, b, 5, n.rank(b) - 1);
  const Value y = n("matmul", {left, right});
  const Value factor = n("multiply", {n.cast(along(n, n.in(1), a, n.rank(a) - 2), f32),
                                      n.cast(along(n, n.in(4), b, n.rank(b) - 1), f32)});
  return {rescaled(n, y, factor, 6, 7)};
}

WindowOf conv_window(Node& n, const Value& x, const Value& w) {
  return window_of(n, n.rank(x) - 2, n.dims(w).from(2), n.dims(x).from(2));
}

Values conv_integer(Node& n) {
  const Value x = n.in(0), w = n.in(1);
  return {convolved(n, shifted(n, x, 2, 1), shifted(n, w, 3, 0), conv_window(n, x, w),
                    n.integer("group", 1))};
}

Values qlinear_conv(Node& n) {
  const Value x = n.in(0), w = n.in(3);
  Value y = convolved(n, shifted(n, x, 2, 1), shifted(n, w, 5, 0), conv_window(n, x, w),
                      n.integer("group", 1));
  if (n.has(8)) y = n("bias_add", {y, n.in(8)}, AxisAttributes{1});
  const Value factor =
      n("multiply", {n.cast(n.reshape(n.in(1), {}), f32), n.cast(along(n, n.in(4), y, 1), f32)});
  return {rescaled(n, y, factor, 6, 7)};
}

constexpr Row quantized_table[] = {
    {"ConvInteger", conv_integer, 10},
    {"DequantizeLinear", dequantize, 10},
    {"DynamicQuantizeLinear", dynamic_quantize, 11},
    {"MatMulInteger", matmul_integer, 10},
    {"QLinearConv", qlinear_conv, 10},
    {"QLinearMatMul", qlinear_matmul, 10},
    {"QuantizeLinear", quantize, 10},
};

}  // namespace

std::span<const Row> quantized_rows() { return quantized_table; }

}  // namespace strata::graph::onnx
