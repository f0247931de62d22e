// The operators, each a function from tensors to tensors.
//
// Shapes are named by letters: x (n, c, h, w). Negative axes count from the end.
// Two shapes are broadcast as in numpy: from the last dimension, and an extent of 1 stands for any.
// Errors common to all: E0602 if tensors do not fit, with the operator, the argument and both
// extents; E0110 for an element type that the operation does not have.
#pragma once

#include <string>
#include <vector>

#include "graph/operator/attributes.h"
#include "graph/tensor/tensor.h"

namespace strata::graph {

// ---- elementwise: y(i) = f(x(i)) ----

// clang-format off
#define STRATA_UNARY_OPERATORS(X)                                                                  \
  X(negative)                                                                                      \
  X(abs) X(sqrt) X(rsqrt) X(exp) X(log) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh)       \
      X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(floor) X(ceil) X(round) X(trunc) X(sign) \
          X(reciprocal) X(is_nan) X(logical_not) X(bitwise_not) X(relu) X(sigmoid) X(silu)         \
              X(hard_swish) X(mish) X(softplus) X(softsign) X(selu)
// clang-format on
#define STRATA_DECLARE_UNARY(name) Tensor name(const Tensor& x, const Where& where = Where::here());
STRATA_UNARY_OPERATORS(STRATA_DECLARE_UNARY)
#undef STRATA_DECLARE_UNARY

struct AlphaAttributes {
  double alpha = 0.01;
  STRATA_FIELDS(alpha)
};
// alpha x where x < 0.
Tensor leaky_relu(const Tensor& x, const AlphaAttributes& attributes = {},
                  const Where& where = Where::here());
struct EluAttributes {
  double alpha = 1;
  STRATA_FIELDS(alpha)
};
// alpha (exp(x) - 1) where x <= 0.
Tensor elu(const Tensor& x, const EluAttributes& attributes = {},
           const Where& where = Where::here());
struct GeluAttributes {
  std::string approximate = "none";  // or "tanh"
  STRATA_FIELDS(approximate)
};
// x Phi(x), by erf or by its approximation with tanh.
Tensor gelu(const Tensor& x, const GeluAttributes& attributes = {},
            const Where& where = Where::here());
struct HardSigmoidAttributes {
  double alpha = 0.2, beta = 0.5;
  STRATA_FIELDS(alpha, beta)
};
// alpha x + beta, between 0 and 1.
Tensor hard_sigmoid(const Tensor& x, const HardSigmoidAttributes& attributes = {},
                    const Where& where = Where::here());
struct AxisAttributes {
  std::int64_t axis = 1;
  STRATA_FIELDS(axis)
};
// slope (c): slope(c) x where x < 0, c the index on the axis.
Tensor prelu(const Tensor& x, const Tensor& slope, const AxisAttributes& attributes = {},
             const Where& where = Where::here());
struct CastAttributes {
  Type type = f32;
  STRATA_FIELDS(type)
};
Tensor cast(const Tensor& x, const CastAttributes& attributes, const Where& where = Where::here());
struct ClipAttributes {
  double min = 0, max = 0;
  STRATA_FIELDS(min, max)
};
Tensor clip(const Tensor& x, const ClipAttributes& attributes, const Where& where = Where::here());
// x y + z; the product may be rounded before the sum, or not.
Tensor ewise_fma(const Tensor& x, const Tensor& y, const Tensor& z,
                 const Where& where = Where::here());

// ---- elementwise on broadcast operands ----

// clang-format off
#define STRATA_BINARY_OPERATORS(X)                                                                 \
  X(add)                                                                                           \
  X(subtract) X(multiply) X(divide) X(floor_divide) X(mod) X(power) X(maximum) X(minimum) X(equal) \
      X(not_equal) X(less) X(less_equal) X(greater) X(greater_equal) X(logical_and) X(logical_or)  \
          X(logical_xor) X(bitwise_and) X(bitwise_or) X(bitwise_xor) X(left_shift) X(right_shift)  \
              X(atan2)
// clang-format on
#define STRATA_DECLARE_BINARY(name) \
  Tensor name(const Tensor& x, const Tensor& y, const Where& where = Where::here());
STRATA_BINARY_OPERATORS(STRATA_DECLARE_BINARY)
#undef STRATA_DECLARE_BINARY
// x where the condition holds, else y.
Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y,
             const Where& where = Where::here());

// ---- shapes ----

struct ShapeAttributes {
  Shape shape;
  STRATA_FIELDS(shape)
};
struct AxesAttributes {
  Integers axes;
  STRATA_FIELDS(axes)
};
struct LastAxisAttributes {
  std::int64_t axis = -1;
  STRATA_FIELDS(axis)
};
struct FirstAxisAttributes {
  std::int64_t axis = 0;
  STRATA_FIELDS(axis)
};
struct NewAxesAttributes {
  std::int64_t axis = 0, count = 1;
  STRATA_FIELDS(axis, count)
};

Tensor broadcast_to(const Tensor& x, const ShapeAttributes& attributes,
                    const Where& where = Where::here());
// Inserts "count" new dimensions of extent 1 (1 to 8 of them) from the axis on.
Tensor expand_dims(const Tensor& x, const NewAxesAttributes& attributes,
                   const Where& where = Where::here());
// Drops these axes, whose extents must be 1. Without axes, drops all dimensions of extent 1.
Tensor squeeze(const Tensor& x, const AxesAttributes& attributes = {},
               const Where& where = Where::here());
// The same elements in order; one extent may be -1, which follows from the others.
Tensor reshape(const Tensor& x, const ShapeAttributes& attributes,
               const Where& where = Where::here());
// All elements in one dimension.
Tensor flatten(const Tensor& x, const Where& where = Where::here());
// (n, ..) to (n, product of the others).
Tensor batch_flatten(const Tensor& x, const Where& where = Where::here());
// Dimension d of the result is axes[d] of x. Without axes, the order is reversed.
Tensor transpose(const Tensor& x, const AxesAttributes& attributes = {},
                 const Where& where = Where::here());
struct SplitAttributes {
  std::int64_t sections = 0;  // equal parts; or 0, and
  Integers indices;           // where all parts but the first begin
  std::int64_t axis = 0;
  STRATA_FIELDS(sections, indices, axis)
};
std::vector<Tensor> split(const Tensor& x, const SplitAttributes& attributes,
                          const Where& where = Where::here());
Tensor concatenate(const std::vector<Tensor>& tensors, const FirstAxisAttributes& attributes = {},
                   const Where& where = Where::here());
Tensor stack(const std::vector<Tensor>& tensors, const FirstAxisAttributes& attributes = {},
             const Where& where = Where::here());
struct TileAttributes {
  Integers reps;
  STRATA_FIELDS(reps)
};
Tensor tile(const Tensor& x, const TileAttributes& attributes, const Where& where = Where::here());
// x[begin : end : stride] on each axis, as in Python: negative numbers count from the end, and
// numbers beyond the ends are cut off. Missing axes are 0, 1, ..; missing strides 1.
struct StridedSliceAttributes {
  Integers begin, end, strides, axes;
  STRATA_FIELDS(begin, end, strides, axes)
};
Tensor strided_slice(const Tensor& x, const StridedSliceAttributes& attributes,
                     const Where& where = Where::here());
Tensor reverse(const Tensor& x, const AxesAttributes& attributes,
               const Where& where = Where::here());
// x itself. In a program, its readers are not fused with its producer.
Tensor stop_fusion(const Tensor& x, const Where& where = Where::here());
// "edge" needs an element, and "reflect" more elements than a width (numpy reflects several times).
// E0602 otherwise; if the extent is a symbol, when the kernel is called.
struct PadAttributes {
  Integers before, after;         // one for each dimension, 0 or more
  std::string mode = "constant";  // or "edge", "reflect"
  double value = 0;
  STRATA_FIELDS(before, after, mode, value)
};
Tensor pad(const Tensor& x, const PadAttributes& attributes, const Where& where = Where::here());
struct DiagonalAttributes {
  std::int64_t k = 0;
  STRATA_FIELDS(k)
};
// x where j <= i + k (tril), where j >= i + k (triu), else 0; i and j are the last two indices.
Tensor tril(const Tensor& x, const DiagonalAttributes& attributes = {},
            const Where& where = Where::here());
Tensor triu(const Tensor& x, const DiagonalAttributes& attributes = {},
            const Where& where = Where::here());
struct BlockAttributes {
  std::int64_t block = 2;
  std::string mode = "DCR";  // or "CRD": whether the block is outside or inside of the channels
  STRATA_FIELDS(block, mode)
};
// (n, c b b, h, w) to (n, c, h b, w b), and back.
Tensor depth_to_space(const Tensor& x, const BlockAttributes& attributes = {},
                      const Where& where = Where::here());
Tensor space_to_depth(const Tensor& x, const BlockAttributes& attributes = {},
                      const Where& where = Where::here());
// Layouts as "NCHW" and "NCHW16c": a capital is an axis, 16c the inner part of C of extent 16.
struct LayoutAttributes {
  std::string from, to;
  STRATA_FIELDS(from, to)
};
Tensor layout_transform(const Tensor& x, const LayoutAttributes& attributes,
                        const Where& where = Where::here());

// ---- elements at indices ----

struct TakeAttributes {
  std::int64_t axis = 0;
  std::string mode = "error";  // of an index out of bounds; or "clip", "wrap"
  STRATA_FIELDS(axis, mode)
};
// y(.., j.., ..) = x(.., indices(j..), ..), as take of numpy.
Tensor take(const Tensor& x, const Tensor& indices, const TakeAttributes& attributes = {},
            const Where& where = Where::here());
// y(i) = x(i with indices(i) on the axis), as take_along_axis of numpy.
Tensor gather(const Tensor& x, const Tensor& indices, const FirstAxisAttributes& attributes = {},
              const Where& where = Where::here());
struct GatherNdAttributes {
  std::int64_t batch_dims = 0;
  STRATA_FIELDS(batch_dims)
};
// indices (b.., j.., k), of k numbers: y(b.., j.., l..) = x(b.., indices(b.., j.., :), l..).
Tensor gather_nd(const Tensor& x, const Tensor& indices, const GatherNdAttributes& attributes = {},
                 const Where& where = Where::here());
struct OneHotAttributes {
  std::int64_t depth = 0;
  double on = 1, off = 0;
  std::int64_t axis = -1;
  Type type = f32;
  STRATA_FIELDS(depth, on, off, axis, type)
};
Tensor one_hot(const Tensor& indices, const OneHotAttributes& attributes,
               const Where& where = Where::here());
struct RangeAttributes {
  Shape extent;  // one dim: the number of elements
  double start = 0, step = 1;
  Type type = i64;
  STRATA_FIELDS(extent, start, step, type)
};
// start + step i, computed in the type.
Tensor range(const RangeAttributes& attributes, const Where& where = Where::here());
struct FullAttributes {
  Shape shape;
  double value = 0;
  Type type = f32;
  STRATA_FIELDS(shape, value, type)
};
Tensor full(const FullAttributes& attributes, const Where& where = Where::here());

// ---- reductions ----

struct ReduceAttributes {
  Integers axes;  // none: all
  bool keepdims = false;
  STRATA_FIELDS(axes, keepdims)
};
#define STRATA_REDUCTIONS(X) \
  X(sum) X(mean) X(max) X(min) X(prod) X(any) X(all) X(logsumexp) X(l1_norm) X(l2_norm)
#define STRATA_DECLARE_REDUCTION(name)                                  \
  Tensor name(const Tensor& x, const ReduceAttributes& attributes = {}, \
              const Where& where = Where::here());
STRATA_REDUCTIONS(STRATA_DECLARE_REDUCTION)
#undef STRATA_DECLARE_REDUCTION
struct ArgAttributes {
  std::int64_t axis = -1;
  bool keepdims = false;
  STRATA_FIELDS(axis, keepdims)
};
// The position (int64) of the first largest, or smallest, element on the axis.
Tensor argmax(const Tensor& x, const ArgAttributes& attributes = {},
              const Where& where = Where::here());
Tensor argmin(const Tensor& x, const ArgAttributes& attributes = {},
              const Where& where = Where::here());
struct CumsumAttributes {
  std::int64_t axis = -1;
  bool exclusive = false, reverse = false;
  STRATA_FIELDS(axis, exclusive, reverse)
};
// The sums of the elements up to each element; with "exclusive", before it; with "reverse", from
// the end.
Tensor cumsum(const Tensor& x, const CumsumAttributes& attributes = {},
              const Where& where = Where::here());

// ---- normalizations ----

Tensor softmax(const Tensor& x, const LastAxisAttributes& attributes = {},
               const Where& where = Where::here());
Tensor log_softmax(const Tensor& x, const LastAxisAttributes& attributes = {},
                   const Where& where = Where::here());
struct NormAttributes {
  Integers axes = {-1};
  double epsilon = 1e-5;
  STRATA_FIELDS(axes, epsilon)
};
// (x - mean) / sqrt(variance + epsilon) gamma + beta over the axes. gamma and beta have the extents
// of these axes.
Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                  const NormAttributes& attributes = {}, const Where& where = Where::here());
// x / sqrt(mean of squares + epsilon) weight.
Tensor rms_norm(const Tensor& x, const Tensor& weight, const NormAttributes& attributes = {},
                const Where& where = Where::here());
struct GroupNormAttributes {
  std::int64_t groups = 1;
  double epsilon = 1e-5;
  STRATA_FIELDS(groups, epsilon)
};
// x (n, c, ..), gamma (c), beta (c): the mean is over c / groups channels and all dimensions after
// them.
Tensor group_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                  const GroupNormAttributes& attributes, const Where& where = Where::here());
struct BatchNormAttributes {
  std::int64_t axis = 1;
  double epsilon = 1e-5;
  STRATA_FIELDS(axis, epsilon)
};
// Inference: the mean and the variance, (c) each, are given.
Tensor batch_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, const Tensor& mean,
                  const Tensor& variance, const BatchNormAttributes& attributes = {},
                  const Where& where = Where::here());

// ---- products ----

// y(.., j) = sum_k x(.., k) w(j, k)
Tensor dense(const Tensor& x, const Tensor& w, const Where& where = Where::here());
struct MatmulAttributes {
  bool transpose_a = false, transpose_b = false;
  STRATA_FIELDS(transpose_a, transpose_b)
};
// Products of matrices in the last two dimensions. The dimensions before are broadcast. A vector a
// is a row, and a vector b is a column; the result does not have this dimension.
Tensor matmul(const Tensor& a, const Tensor& b, const MatmulAttributes& attributes = {},
              const Where& where = Where::here());
struct BatchMatmulAttributes {
  bool transpose_a = false, transpose_b = true;
  STRATA_FIELDS(transpose_a, transpose_b)
};
// The product of (n, i, k) and (n, j, k), as in Relay.
Tensor batch_matmul(const Tensor& a, const Tensor& b, const BatchMatmulAttributes& attributes = {},
                    const Where& where = Where::here());
struct EinsumAttributes {
  std::string equation;  // "bij,bjk->bik"
  STRATA_FIELDS(equation)
};
Tensor einsum(const std::vector<Tensor>& tensors, const EinsumAttributes& attributes,
              const Where& where = Where::here());
// x + b(c), c the index on the axis.
Tensor bias_add(const Tensor& x, const Tensor& b, const AxisAttributes& attributes = {},
                const Where& where = Where::here());

// ---- windows ----

struct ConvAttributes {
  Integers strides, padding, dilation;  // one for each dimension of the window; padding may also
                                        // list all before, then all after
  std::int64_t groups = 1;
  STRATA_FIELDS(strides, padding, dilation, groups)
};
// x (n, c, ..), w (o, c / groups, window..): y (n, o, ..), in one and two dimensions.
Tensor conv1d(const Tensor& x, const Tensor& w, const ConvAttributes& attributes = {},
              const Where& where = Where::here());
Tensor conv2d(const Tensor& x, const Tensor& w, const ConvAttributes& attributes = {},
              const Where& where = Where::here());
struct ConvTransposeAttributes {
  Integers strides, padding, output_padding;
  STRATA_FIELDS(strides, padding, output_padding)
};
// x (n, c, h, w), w (c, o, kh, kw): y (n, o, (h - 1) sh - padding + kh + output padding, ..).
Tensor conv2d_transpose(const Tensor& x, const Tensor& w,
                        const ConvTransposeAttributes& attributes = {},
                        const Where& where = Where::here());
struct PoolAttributes {
  Integers window, strides, padding;
  bool ceil_mode = false, count_include_pad = false;
  STRATA_FIELDS(window, strides, padding, ceil_mode, count_include_pad)
};
// x (n, c, h, w). Places outside of x are never a maximum, and add nothing to an average.
Tensor max_pool2d(const Tensor& x, const PoolAttributes& attributes,
                  const Where& where = Where::here());
Tensor avg_pool2d(const Tensor& x, const PoolAttributes& attributes,
                  const Where& where = Where::here());
// To (n, c, 1, 1).
Tensor global_max_pool2d(const Tensor& x, const Where& where = Where::here());
Tensor global_avg_pool2d(const Tensor& x, const Where& where = Where::here());
struct ResizeAttributes {
  Shape size;                     // (h, w) of the result
  std::string method = "linear";  // or "nearest"
  // The place in x of pixel i of the result: "half_pixel" (i + 0.5) h / H - 0.5, "asymmetric" i h /
  // H, "align_corners" i (h - 1) / (H - 1).
  std::string coordinates = "half_pixel";
  STRATA_FIELDS(size, method, coordinates)
};
// x (n, c, h, w). Positions are exact. "nearest" takes the pixel at floor(position), for half_pixel
// the nearest one, of two the one before.
Tensor resize2d(const Tensor& x, const ResizeAttributes& attributes,
                const Where& where = Where::here());

// ---- sequences ----

// One step of a cell with n units, batches in the first dimension: x (b, k), h and c (b, n),
// w (4 n, k), r (4 n, n), bias (4 n), gates in the order input, forget, cell, output. Returns the
// new h and c.
std::vector<Tensor> lstm_cell(const Tensor& x, const Tensor& h, const Tensor& c, const Tensor& w,
                              const Tensor& r, const Tensor& bias,
                              const Where& where = Where::here());
// w (3 n, k), r (3 n, n), bias of w and of r (3 n), gates in the order reset, update, new.
Tensor gru_cell(const Tensor& x, const Tensor& h, const Tensor& w, const Tensor& r,
                const Tensor& bias, const Tensor& recurrent_bias,
                const Where& where = Where::here());

// ---- functions on whole arrays ----

struct SortAttributes {
  std::int64_t axis = -1;
  bool descending = false;
  STRATA_FIELDS(axis, descending)
};
// Equal elements keep their order; NaN comes last.
Tensor sort(const Tensor& x, const SortAttributes& attributes = {},
            const Where& where = Where::here());
Tensor argsort(const Tensor& x, const SortAttributes& attributes = {},
               const Where& where = Where::here());
struct TopKAttributes {
  std::int64_t k = 1, axis = -1;
  bool largest = true;
  STRATA_FIELDS(k, axis, largest)
};
// The k largest elements on the axis, in order, and their positions (int64).
std::vector<Tensor> top_k(const Tensor& x, const TopKAttributes& attributes = {},
                          const Where& where = Where::here());
// The distinct elements, in order. Their number is a new symbol of the result.
Tensor unique(const Tensor& x, const Where& where = Where::here());
// (rank, count): the indices of the elements that are not 0, in order.
Tensor nonzero(const Tensor& x, const Where& where = Where::here());

}  // namespace strata::graph
