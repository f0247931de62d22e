// Operators that move elements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/onnx/array_of.h"
#include "graph/onnx/rows.h"

namespace strata::graph::onnx {

namespace {

Expr product_of(const Shape& dims, int from, int to) {
  Expr product = strata::constant(i64, 1);
  for (int d = from; d < to; ++d) product = product * dims[d];
  return normal(product);
}

// 0 stands for the extent of x at this place, -1 for the extent that the others leave.
Values reshape(Node& n) {
  const Value x = n.in(0);
  Shape shape;
  if (n.has("shape"))
    for (const std::int64_t extent : n.integers("shape")) shape.push_back(extent);
  else
    shape = n.sizes(1);
  const bool zero_is_zero = n.flag("allowzero", false);
  for (int d = 0; d < shape.rank(); ++d)
    if (constant_dim(shape[d]) == 0 && !zero_is_zero) {
      if (d >= n.rank(x)) throw n.refused(fmt::format("extent {} is copied from no extent", d));
      shape[d] = n.dims(x)[d];
    }
  return {n.reshape(x, shape)};
}

// All dimensions before the axis become one dimension, and the others a second one.
Values flatten(Node& n) {
  const Value x = n.in(0);
  const int rank = n.rank(x), axis = n.border(n.integer("axis", 1), rank);
  return {n.reshape(x, {product_of(n.dims(x), 0, axis), product_of(n.dims(x), axis, rank)})};
}

Values transpose(Node& n) { return {n.transpose(n.in(0), n.integers("perm"))}; }

// x with extents of 1 on the axes. If they are not known, the model checks them when it runs.
Value with_ones(Node& n, const Value& x, const Integers& axes) {
  Shape dims = n.dims(x);
  bool all_known = true;
  for (const std::int64_t given : axes) {
    Expr& dim = dims[int(n.axis(given, dims.rank()))];
    all_known &= constant_dim(dim).has_value();
    if (!constant_dim(dim)) dim = std::int64_t{1};
  }
  Emitter& e = n.emitter();
  return all_known ? x : e.builder().match_shape(e.bound(x), dims, e.where());
}

Values squeeze(Node& n) {
  const Value x = n.in(0);
  const auto axes = n.numbers("axes", 1);
  if (axes && axes->empty()) return {x};
  if (n.rank(x) == 0) return {x};
  return {n("squeeze", {with_ones(n, x, axes.value_or(Integers()))},
            AxesAttributes{axes.value_or(Integers())})};
}

Values unsqueeze(Node& n) {
  Value x = n.in(0);
  Integers axes = n.numbers("axes", 1).value_or(Integers());
  const int rank = n.rank(x) + int(axes.size());
  for (std::int64_t& axis : axes) axis = n.axis(axis, rank);
  std::sort(axes.begin(), axes.end());
  for (const std::int64_t axis : axes) x = n("expand_dims", {x}, NewAxesAttributes{axis, 1});
  return {x};
}

Values concat(Node& n) {
  Values all;
  for (int k = 0; k < n.count(); ++k) all.push_back(n.in(k));
  const std::int64_t axis = n.version() < 4 ? n.integer("axis", 1) : n.integer("axis");
  return {n("concatenate", all, FirstAxisAttributes{axis})};
}

// Where all parts but the first begin. There are as many parts as outputs, and the last one may be
// smaller.
SplitAttributes parts_of(Node& n, std::int64_t axis, const std::optional<Integers>& lengths) {
  SplitAttributes parts;
  parts.axis = axis;
  if (lengths) {
    std::int64_t end = 0;
    for (std::size_t k = 0; k + 1 < lengths->size(); ++k)
      parts.indices.push_back(end += (*lengths)[k]);
    return parts;
  }
  const std::int64_t count = n.integer("num_outputs", n.outputs());
  if (count != n.outputs()) throw n.refused("num_outputs is not the number of outputs");
  const auto extent = constant_dim(n.dims(n.in(0))[int(axis)]);
  parts.sections = count;
  if (!extent || *extent % count == 0) return parts;
  parts.sections = 0;
  for (std::int64_t k = 1; k < count; ++k)
    parts.indices.push_back(std::min(k * ((*extent + count - 1) / count), *extent));
  return parts;
}

Values split(Node& n) {
  const Value x = n.in(0);
  const std::int64_t axis = n.axis(n.integer("axis", 0), n.rank(x));
  const SplitAttributes parts = parts_of(n, axis, n.numbers("split", 1));
  if (parts.indices.empty() && parts.sections <= 1) return {x};
  return n.all("split", {x}, parts);
}

// ---- slices ----

struct Bounds {
  Shape starts, ends;
  Integers axes, steps;
};

Bounds bounds_of(Node& n, int rank) {
  Bounds b;
  if (n.version() < 10) {
    for (const std::int64_t start : n.integers("starts")) b.starts.push_back(start);
    for (const std::int64_t end : n.integers("ends")) b.ends.push_back(end);
    b.axes = n.integers("axes");
  } else {
    b.starts = n.sizes(1);
    b.ends = n.sizes(2);
    if (n.has(3)) b.axes = n.numbers(3);
    if (n.has(4)) b.steps = n.numbers(4);
  }
  if (b.axes.empty()) {
    b.axes.resize(b.starts.size());
    std::iota(b.axes.begin(), b.axes.end(), 0);
  }
  if (b.steps.empty()) b.steps.assign(b.starts.size(), 1);
  if (b.ends.size() != b.starts.size() || b.axes.size() != b.starts.size() ||
      b.steps.size() != b.starts.size())
    throw n.refused("starts, ends, axes and steps are not equally many");
  for (std::int64_t& axis : b.axes) axis = n.axis(axis, rank);
  for (const std::int64_t step : b.steps)
    if (step == 0 || step < -(1LL << 31) || step > 1LL << 31)
      throw n.refused(fmt::format("a step is {}", step));
  return b;
}

// Numbers beyond every extent stand for the ends.
std::int64_t near(std::int64_t position) {
  return std::clamp<std::int64_t>(position, -(1LL << 31), 1LL << 31);
}

bool is_never_positive(const Expr& dim) {
  return equal(max(dim, 0), strata::constant(i64, 0), facts_of(dim)) == Answer::yes;
}

// A position counted from 0, between "least" and "greatest". A dim of unknown sign counts from 0.
Expr counted(const Expr& position, const Expr& extent, const Expr& least, const Expr& greatest) {
  const auto number = constant_dim(position);
  if (number && *number >= 1LL << 31) return greatest;
  Expr from_begin = number ? Expr(near(*number)) : position;
  if (number ? *number < 0 : is_never_positive(position)) from_begin = extent + from_begin;
  return normal(min(max(from_begin, least), greatest));
}

// The slice if its bounds are dims.
Value sliced(Node& n, const Value& x, const Bounds& b) {
  const Shape dims = n.dims(x);
  Shape begins(dims.size(), Expr(std::int64_t{0})), shape = dims;
  Integers steps(dims.size(), 1);
  for (std::size_t k = 0; k < b.axes.size(); ++k) {
    const int d = int(b.axes[k]);
    const std::int64_t step = steps[std::size_t(d)] = b.steps[k];
    const Expr least = std::int64_t(step > 0 ? 0 : -1);
    const Expr greatest = step > 0 ? dims[d] : dims[d] - 1;
    begins[d] = counted(b.starts[int(k)], dims[d], least, greatest);
    const Expr end = counted(b.ends[int(k)], dims[d], least, greatest);
    const Expr length = step > 0 ? end - begins[d] : begins[d] - end;
    shape[d] = normal(max((length + (std::abs(step) - 1)) / std::abs(step), 0));
  }
  const auto slice = [&](const Tensor& t) {
    return compute(
        shape,
        [&](const Indices& i) {
          Indices from;
          for (int d = 0; d < i.rank(); ++d)
            from.push_back(begins[d] + i[d] * steps[std::size_t(d)]);
          return t(from);
        },
        "slice", n.emitter().where());
  };
  return n.emitter().emit_te("slice", slice, x);
}

Values slice(Node& n) {
  const Value x = n.in(0);
  const Bounds b = bounds_of(n, n.rank(x));
  StridedSliceAttributes constant{{}, {}, b.steps, b.axes};
  for (int k = 0; k < b.starts.rank(); ++k) {
    const auto start = constant_dim(b.starts[k]), end = constant_dim(b.ends[k]);
    if (!start || !end) return {sliced(n, x, b)};
    constant.begin.push_back(near(*start));
    constant.end.push_back(near(*end));
  }
  return {n("strided_slice", {x}, constant)};
}

// ---- larger tensors ----

// The dim of the result, from those of x and of the wanted shape.
Expr joint(const Expr& x, const Expr& wanted) { return constant_dim(wanted) == 1 ? x : wanted; }

Values expand(Node& n) {
  const Value x = n.in(0);
  const Shape wanted = n.sizes(1), dims = n.dims(x);
  const int rank = std::max(wanted.rank(), dims.rank());
  Shape shape;
  for (int d = -rank; d < 0; ++d)
    shape.push_back(-d > dims.rank()     ? wanted.at(d)
                    : -d > wanted.rank() ? dims.at(d)
                                         : joint(dims.at(d), wanted.at(d)));
  return {n("broadcast_to", {x}, ShapeAttributes{shape})};
}

Values tile(Node& n) {
  const Value x = n.in(0);
  Integers reps = n.numbers(1);
  if (n.version() < 6) {
    const std::int64_t axis = n.axis(n.numbers(2).at(0), n.rank(x)), tiles = reps.at(0);
    reps.assign(std::size_t(n.rank(x)), 1);
    reps[std::size_t(axis)] = tiles;
  }
  for (const std::int64_t count : reps)
    if (count < 0 || count > 1LL << 31) throw n.refused(fmt::format("a repeat is {}", count));
  return {n("tile", {x}, TileAttributes{reps})};
}

// The widths of the operand "pads", which are for some axes, for all dimensions.
PadAttributes widths_of(Node& n, const Value& x) {
  const int rank = n.rank(x);
  const Integers given = n.numbers(n.version() < 2 ? "paddings" : "pads", 1).value_or(Integers());
  Integers axes(std::size_t(rank), 0);
  std::iota(axes.begin(), axes.end(), 0);
  if (n.has(3)) axes = n.numbers(3);
  if (given.size() != 2 * axes.size()) throw n.refused("pads are not two for each axis");
  PadAttributes pads;
  pads.before.assign(std::size_t(rank), 0);
  pads.after.assign(std::size_t(rank), 0);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const auto axis = std::size_t(n.axis(axes[k], rank));
    pads.before[axis] = given[k];
    pads.after[axis] = given[k + axes.size()];
    if (std::abs(given[k]) > 1LL << 31 || std::abs(pads.after[axis]) > 1LL << 31)
      throw n.refused("a width is beyond 2^31");
  }
  return pads;
}

// Cuts x by negative widths, and sets these to 0.
Value cut(Node& n, const Value& x, PadAttributes& pads) {
  StridedSliceAttributes slice;
  bool cuts = false;
  for (std::size_t d = 0; d < pads.before.size(); ++d) {
    slice.begin.push_back(std::max<std::int64_t>(-pads.before[d], 0));
    slice.end.push_back(pads.after[d] < 0 ? pads.after[d] : 1LL << 31);
    cuts |= pads.before[d] < 0 || pads.after[d] < 0;
    pads.before[d] = std::max<std::int64_t>(pads.before[d], 0);
    pads.after[d] = std::max<std::int64_t>(pads.after[d], 0);
  }
  return cuts ? n("strided_slice", {x}, slice) : x;
}

// Pads from the other end: i -> (i - before) mod extent.
Value wrapped(Node& n, const Value& x, const PadAttributes& pads) {
  const auto pad = [&](const Tensor& t) {
    Shape shape;
    for (int d = 0; d < t.rank(); ++d)
      shape.push_back(t.shape(d) + pads.before[std::size_t(d)] + pads.after[std::size_t(d)]);
    return compute(
        shape,
        [&](const Indices& i) {
          Indices from;
          for (int d = 0; d < i.rank(); ++d)
            from.push_back((i[d] - pads.before[std::size_t(d)]) % t.shape(d));
          return t(from);
        },
        "pad_wrap", n.emitter().where());
  };
  return n.emitter().emit_te("pad_wrap", pad, x);
}

Values pad(Node& n) {
  PadAttributes pads = widths_of(n, n.in(0));
  pads.mode = n.text("mode", "constant");
  Value x = cut(n, n.in(0), pads);
  if (pads.mode == "wrap") return {wrapped(n, x, pads)};
  const bool has_value = n.version() >= 11 && n.has(2);
  if (has_value && pads.mode == "constant" && !n.is_known(2)) {
    const auto inside = n("pad", {n("full", {}, FullAttributes{n.dims(x), 1, boolean})}, pads);
    return {n("where", {inside, n("pad", {x}, pads), n.in(2)})};
  }
  pads.value = has_value ? n.number(2) : n.real("value", 0);
  return {n("pad", {x}, pads)};
}

// ---- shapes as data ----

Values shape_of_tensor(Node& n) {
  const Value x = n.in(0);
  const int rank = n.rank(x);
  const auto position = [&](std::int64_t given) {
    return int(std::clamp<std::int64_t>(given < 0 ? given + rank : given, 0, rank));
  };
  const int start = position(n.integer("start", 0)), end = position(n.integer("end", rank));
  const Shape& dims = n.dims(x);
  return {n.emitter().value_of(
      known_dims(Shape(dims.begin() + start, dims.begin() + std::max(start, end))))};
}

Values size(Node& n) {
  const Value x = n.in(0);
  const KnownRef one = known_dims({product_of(n.dims(x), 0, n.rank(x))});
  return {n.emitter().value_of(std::make_shared<const Known>(Known{i64, {}, one->elements}))};
}

Values constant(Node& n) {
  Emitter& e = n.emitter();
  if (const AttributeProto* value = n.find("value"); value && value->tensor)
    return {e.constant(array_of(*value->tensor, std::nullopt))};
  if (n.has("value_float")) return {n.scalar(f32, n.real("value_float", 0))};
  if (n.has("value_int"))
    return {e.constant(NDArray::scalar<std::int64_t>(n.integer("value_int")))};
  if (n.has("value_ints")) {
    const Integers values = n.integers("value_ints");
    return {e.constant(NDArray::of<std::int64_t>({std::int64_t(values.size())}, values))};
  }
  if (n.has("value_floats")) {
    const std::vector<double> values = n.reals("value_floats");
    const std::vector<float> floats(values.begin(), values.end());
    return {e.constant(NDArray::of<float>({std::int64_t(values.size())}, floats))};
  }
  throw n.unsupported("its value is not a tensor of numbers");
}

Values constant_of_shape(Node& n) {
  FullAttributes full;
  full.shape = n.sizes(0);
  for (const Expr& dim : full.shape)
    if (constant_dim(dim).value_or(0) < 0) throw n.refused("an extent is negative");
  const AttributeProto* value = n.find("value");
  if (!value || !value->tensor) return {n("full", {}, full)};
  const KnownRef known = known_array(array_of(*value->tensor, std::nullopt));
  if (!known || known->elements.size() != 1) throw n.refused("value is not one number");
  const std::optional<NDArray> array = constant_array(*known);
  Value element = n.emitter().constant(array->viewed({}));
  return {n("broadcast_to", {element}, ShapeAttributes{full.shape})};
}

// start, start + delta, .. before limit. The numbers are integers that are dims, or constants.
Values range(Node& n) {
  const Value start = n.in(0);
  const Type type = n.type(start);
  RangeAttributes range;
  range.type = type;
  if (is_float(type)) {
    range.start = n.number(0);
    range.step = n.number(2);
    const double count = std::ceil((n.number(1) - range.start) / range.step);
    if (!(count < 2147483648.0)) throw n.refused("it has more than 2^31 elements");
    range.extent = {std::int64_t(std::max(count, 0.0))};
    return {n("range", {}, range)};
  }
  const std::int64_t step = n.numbers(2).at(0);
  if (step == 0 || std::abs(step) > 1LL << 31) throw n.refused(fmt::format("delta is {}", step));
  const Expr first = n.sizes(0).at(0), limit = n.sizes(1).at(0);
  const Expr length = step > 0 ? limit - first : first - limit;
  range.extent = {normal(max((length + (std::abs(step) - 1)) / std::abs(step), 0))};
  range.step = double(step);
  return {n("add", {n("range", {}, range), start})};
}

Values eye_like(Node& n) {
  const Value x = n.in(0);
  const auto type = element_of(DataType(n.integer("dtype", 0)));
  const std::int64_t k = n.integer("k", 0);
  if (n.rank(x) != 2) throw n.refused("the operand is not a matrix");
  const Shape dims = n.dims(x);
  const auto range = [&](int d) { return n("range", {}, RangeAttributes{{dims[d]}, 0, 1, i64}); };
  const Value row =
      n("expand_dims", {n("add", {range(0), n.scalar(i64, double(k))})}, NewAxesAttributes{1, 1});
  return {n.cast(n("equal", {row, range(1)}), type.value_or(n.type(x)))};
}

Values trilu(Node& n) {
  const std::int64_t k = n.has(1) ? n.numbers(1).at(0) : 0;
  if (std::abs(k) > 1LL << 31) throw n.refused("k is beyond 2^31");
  return {n(n.flag("upper", true) ? "triu" : "tril", {n.in(0)}, DiagonalAttributes{k})};
}

Values depth_to_space(Node& n) {
  return {n("depth_to_space", {n.in(0)},
            BlockAttributes{n.integer("blocksize"), n.text("mode", "DCR")})};
}

Values space_to_depth(Node& n) {
  return {n("space_to_depth", {n.in(0)}, BlockAttributes{n.integer("blocksize"), "DCR"})};
}

// The middle of each axis: cut, or with zeros around it.
Values center_crop_pad(Node& n) {
  const Value x = n.in(0);
  const int rank = n.rank(x);
  Integers axes = n.integers("axes");
  if (!n.has("axes"))
    for (int d = 0; d < rank; ++d) axes.push_back(d);
  const Integers wanted = n.numbers(1);
  if (axes.size() != wanted.size()) throw n.refused("there is not one extent for each axis");
  PadAttributes pads;
  pads.before.assign(std::size_t(rank), 0);
  pads.after.assign(std::size_t(rank), 0);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const auto axis = std::size_t(n.axis(axes[k], rank));
    const auto extent = constant_dim(n.dims(x)[int(axis)]);
    if (!extent) throw n.unsupported("an extent that is cut or padded is not a number");
    const std::int64_t missing = wanted[k] - *extent;
    pads.before[axis] = missing >= 0 ? missing / 2 : -(-missing / 2);
    pads.after[axis] = missing - pads.before[axis];
  }
  return {n("pad", {cut(n, x, pads)}, pads)};
}

constexpr Row shape_table[] = {
    {"CenterCropPad", center_crop_pad},
    {"Concat", concat},
    {"Constant", constant},
    {"ConstantOfShape", constant_of_shape},
    {"DepthToSpace", depth_to_space},
    {"Expand", expand},
    {"EyeLike", eye_like},
    {"Flatten", flatten},
    {"Pad", pad},
    {"Range", range},
    {"Reshape", reshape},
    {"Shape", shape_of_tensor},
    {"Size", size},
    {"Slice", slice},
    {"SpaceToDepth", space_to_depth},
    {"Split", split},
    {"Squeeze", squeeze},
    {"Tile", tile},
    {"Transpose", transpose},
    {"Trilu", trilu},
    {"Unsqueeze", unsqueeze},
};

}  // namespace

std::span<const Row> shape_rows() { return shape_table; }

}  // namespace strata::graph::onnx
