// Operators that move elements and compute nothing.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "graph/ops/ops.h"
#include "graph/ops/registry.h"
#include "graph/ops/writer.h"

namespace strata::graph {

namespace {

Expr number(std::int64_t value) { return constant(i64, value); }

// The place of an element in memory, and back: the indices of the element at a place.
Expr place_of(const Indices& i, const Shape& shape) {
  Expr place = number(0);
  for (int d = 0; d < i.rank(); ++d) place = place * shape[d] + i[d];
  return place;
}
Indices indices_at(const Expr& place, const Shape& shape) {
  Indices indices(shape.size());
  Expr rest = place;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    indices[d] = d == 0 ? rest : rest % shape[d];
    rest = rest / shape[d];
  }
  return indices;
}

// The shape with -1 replaced by the extent that keeps the number of elements of x.
Shape completed(const Writer& op, const Tensor& x, Shape shape) {
  int open = -1;
  for (int d = 0; d < shape.rank(); ++d)
    if (constant_dim(shape[d]) == -1) {
      if (open >= 0) throw op.refused("two extents are -1", "give all but one");
      open = d;
    }
  if (open >= 0)
    shape[open] =
        exact_quotient(product_of(x.shape()), product_of(shape.without(open))).value_or(0);
  if (graph::equal(product_of(x.shape()), product_of(shape)) != Answer::yes)
    throw op.refused(
        fmt::format("x has the shape {}, and {} elements are not provably the {} of {}",
                    text_of(x.shape()), dim_text(product_of(x.shape())),
                    dim_text(product_of(shape)), text_of(shape)),
        "give a shape of as many elements");
  return shape;
}

// Leading extents that both shapes have are not divided, so that
//     { [i, j, k] -> [i, j, floor(k / 32), k mod 32] }
// keeps i and j as they are.
Tensor reshaped(const Writer& op, const Tensor& x, const Shape& shape) {
  int same = 0;
  while (same < std::min(x.rank(), shape.rank()) &&
         graph::equal(x.shape(same), shape[same]) == Answer::yes)
    ++same;
  const Shape from = x.shape().from(same), to = shape.from(same);
  return op.view(shape, [&](const Indices& i) {
    return x(i.first(same).appended(indices_at(place_of(i.from(same), to), from)));
  });
}

}  // namespace

Tensor broadcast_to(const Tensor& x, const ShapeAttributes& a, const Where& where) {
  const Writer op("broadcast_to", where);
  const Shape joint = op.broadcast(x.shape(), a.shape);
  if (joint.rank() != a.shape.rank() ||
      graph::equal(product_of(joint), product_of(a.shape)) != Answer::yes)
    throw op.refused(
        fmt::format("{} cannot be broadcast to {}", text_of(x.shape()), text_of(a.shape)),
        "give a shape that x can fill");
  return op.compute(a.shape, [&](const Indices& i) { return x(broadcast_indices(x, i)); });
}

Tensor expand_dims(const Tensor& x, const NewAxesAttributes& a, const Where& where) {
  const Writer op("expand_dims", where);
  if (a.count < 1 || a.count > 8)
    throw op.refused(fmt::format("count is {}", a.count), "give one from 1 to 8");
  const int axis = op.axis(a.axis, x.rank() + 1), count = int(a.count);
  const Shape ones(std::size_t(count), number(1));
  return op.view(x.shape().first(axis).appended(ones).appended(x.shape().from(axis)),
                 [&](const Indices& i) { return x(i.first(axis).appended(i.from(axis + count))); });
}

Tensor squeeze(const Tensor& x, const AxesAttributes& a, const Where& where) {
  const Writer op("squeeze", where);
  std::vector<bool> dropped(x.rank(), false);
  for (const int axis : op.axes(a.axes, x.rank())) {
    dropped[axis] = is_one(x.shape(axis));
    if (!dropped[axis] && !a.axes.empty())
      throw op.refused(fmt::format("extent {} of x is {}, not 1", axis, dim_text(x.shape(axis))),
                       "give axes of extent 1");
  }
  Shape shape;
  for (int d = 0; d < x.rank(); ++d)
    if (!dropped[d]) shape.push_back(x.shape(d));
  return op.view(shape, [&](const Indices& i) {
    Indices all;
    for (int d = 0, next = 0; d < x.rank(); ++d) all.push_back(dropped[d] ? number(0) : i[next++]);
    return x(all);
  });
}

Tensor reshape(const Tensor& x, const ShapeAttributes& a, const Where& where) {
  const Writer op("reshape", where);
  return reshaped(op, x, completed(op, x, a.shape));
}

Tensor flatten(const Tensor& x, const Where& where) {
  return reshaped(Writer("flatten", where), x, {product_of(x.shape())});
}

Tensor batch_flatten(const Tensor& x, const Where& where) {
  const Writer op("batch_flatten", where);
  op.require_least_rank("x", x, 1);
  return reshaped(op, x, {x.shape(0), product_of(x.shape().from(1))});
}

Tensor transpose(const Tensor& x, const AxesAttributes& a, const Where& where) {
  const Writer op("transpose", where);
  std::vector<int> from;
  for (const std::int64_t axis : a.axes) from.push_back(op.axis(axis, x.rank()));
  if (a.axes.empty())
    for (int d = x.rank(); d-- > 0;) from.push_back(d);
  if (op.axes(a.axes, x.rank()).size() != x.shape().size())
    throw op.refused(fmt::format("{} axes are given for {} dimensions", a.axes.size(), x.rank()),
                     "give each axis once");
  Shape shape;
  for (const int axis : from) shape.push_back(x.shape(axis));
  return op.compute(shape, [&](const Indices& i) {
    Indices indices(i.size());
    for (int d = 0; d < i.rank(); ++d) indices[from[d]] = i[d];
    return x(indices);
  });
}

std::vector<Tensor> split(const Tensor& x, const SplitAttributes& a, const Where& where) {
  const Writer op("split", where);
  const int axis = op.axis(a.axis, x.rank());
  std::vector<Expr> borders{number(0)};
  for (const std::int64_t index : a.indices) borders.push_back(number(index));
  for (std::int64_t part = 1; part < a.sections; ++part)
    borders.push_back(x.shape(axis) / a.sections * part);
  borders.push_back(x.shape(axis));
  if (a.sections > 0 && !provably_divides(a.sections, x.shape(axis)))
    throw op.refused(fmt::format("extent {} of x is {}, which {} does not provably divide", axis,
                                 dim_text(x.shape(axis)), a.sections),
                     "give a number of sections that divides it");
  std::vector<Tensor> parts;
  for (std::size_t part = 0; part + 1 < borders.size(); ++part)
    parts.push_back(op.compute(
        x.shape().with(axis, borders[part + 1] - borders[part]),
        [&](const Indices& i) { return x(i.with(axis, i[axis] + borders[part])); },
        std::to_string(part)));
  return parts;
}

Tensor concatenate(const std::vector<Tensor>& tensors, const FirstAxisAttributes& a,
                   const Where& where) {
  const Writer op("concatenate", where);
  if (tensors.empty()) throw op.refused("there are no tensors", "give one or more");
  const Tensor& first = tensors[0];
  const int axis = op.axis(a.axis, first.rank());
  op.require_alike(tensors, axis);
  std::vector<Expr> begins{number(0)};
  for (const Tensor& t : tensors) begins.push_back(normal(begins.back() + t.shape(axis)));
  return op.compute(first.shape().with(axis, begins.back()), [&](const Indices& i) {
    Expr value;
    for (std::size_t k = tensors.size(); k-- > 0;) {
      const Expr element = tensors[k](i.with(axis, i[axis] - begins[k]));
      value = value.defined() ? select(i[axis] < begins[k + 1], element, value) : element;
    }
    return value;
  });
}

Tensor stack(const std::vector<Tensor>& tensors, const FirstAxisAttributes& a, const Where& where) {
  const Writer op("stack", where);
  if (tensors.empty()) throw op.refused("there are no tensors", "give one or more");
  const Tensor& first = tensors[0];
  const int axis = op.axis(a.axis, first.rank() + 1);
  op.require_alike(tensors);
  return op.compute(
      first.shape().inserted(axis, std::int64_t(tensors.size())), [&](const Indices& i) {
        Expr value = tensors.back()(i.without(axis));
        for (std::size_t k = tensors.size() - 1; k-- > 0;)
          value = select(i[axis] == std::int64_t(k), tensors[k](i.without(axis)), value);
        return value;
      });
}

Tensor tile(const Tensor& x, const TileAttributes& a, const Where& where) {
  const Writer op("tile", where);
  const int rank = std::max(x.rank(), int(a.reps.size()));
  Shape shape;
  for (int d = -rank; d < 0; ++d) {
    const std::int64_t reps = -d <= int(a.reps.size()) ? a.reps[a.reps.size() + d] : 1;
    if (reps < 0)
      throw op.refused(fmt::format("a number of repetitions is {}", reps), "give 0 or more");
    shape.push_back(-d <= x.rank() ? x.shape(d) * reps : number(reps));
  }
  return op.compute(shape, [&](const Indices& i) {
    Indices indices = i.from(rank - x.rank());
    for (int d = 0; d < x.rank(); ++d) indices[d] = indices[d] % x.shape(d);
    return x(indices);
  });
}

namespace {

// An end of a slice counted from 0 and cut off at the ends of the axis. Extents are from 0 to 2^31.
Expr counted(std::int64_t position, const Expr& extent, std::int64_t least, const Expr& greatest) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (position >= most) return normal(greatest);
  if (position < -most || (position == 0 && least == 0)) return number(least);
  const Expr from_begin = position < 0 ? extent + position : number(position);
  return normal(min(max(from_begin, least), greatest));
}

}  // namespace

Tensor strided_slice(const Tensor& x, const StridedSliceAttributes& a, const Where& where) {
  const Writer op("strided_slice", where);
  if (a.begin.size() != a.end.size() || a.begin.size() > x.shape().size())
    throw op.refused(fmt::format("{} begins and {} ends are given", a.begin.size(), a.end.size()),
                     "give one of each for an axis");
  std::vector<Expr> begins(x.rank(), number(0));
  Integers strides(x.rank(), 1);
  Shape shape = x.shape();
  for (std::size_t k = 0; k < a.begin.size(); ++k) {
    const int axis = op.axis(a.axes.empty() ? std::int64_t(k) : a.axes.at(k), x.rank());
    const std::int64_t stride = strides[axis] = k < a.strides.size() ? a.strides[k] : 1;
    if (stride == 0) throw op.refused("a stride is 0", "give another one");
    const Expr& extent = x.shape(axis);
    const bool up = stride > 0;
    const std::int64_t least = up ? 0 : -1;
    const Expr greatest = up ? extent : extent - 1;
    const Expr begin = begins[axis] = counted(a.begin[k], extent, least, greatest);
    const Expr end = counted(a.end[k], extent, least, greatest);
    const Expr length =
        up ? (end - begin + (stride - 1)) / stride : (begin - end + (-stride - 1)) / -stride;
    shape[axis] = normal(max(length, 0));
  }
  return op.compute(shape, [&](const Indices& i) {
    Indices indices;
    for (int d = 0; d < x.rank(); ++d) indices.push_back(begins[d] + i[d] * strides[d]);
    return x(indices);
  });
}

Tensor stop_fusion(const Tensor& x, const Where&) { return x; }

Tensor reverse(const Tensor& x, const AxesAttributes& a, const Where& where) {
  const Writer op("reverse", where);
  const std::vector<int> axes = op.axes(a.axes, x.rank());
  return op.compute(x.shape(), [&](const Indices& i) {
    Indices indices = i;
    for (const int axis : axes) indices[axis] = x.shape(axis) - 1 - i[axis];
    return x(indices);
  });
}

namespace {

// The value for "at", which counts from the first element of x and may be outside of x.
Expr padded(const Tensor& x, const Indices& at, const PadAttributes& a) {
  Indices inside = at;
  Expr is_inside;
  for (int d = 0; d < x.rank(); ++d) {
    if (a.before[d] == 0 && a.after[d] == 0) continue;
    const Expr last = x.shape(d) - 1;
    if (a.mode == "edge") inside[d] = clamp(at[d], 0, last);
    if (a.mode == "reflect") inside[d] = last - strata::abs(last - strata::abs(at[d]));
    if (a.mode == "constant") is_inside = both(is_inside, both(at[d] >= 0, at[d] <= last));
  }
  const Expr element = x(inside);
  return is_inside.defined() ? select(is_inside, element, typed(x.type(), a.value)) : element;
}

}  // namespace

namespace {

// An edge needs one element. A reflection needs one more than the width, for the mirror.
std::vector<Expr> needed_to_pad(const Tensor& x, const PadAttributes& a) {
  std::vector<Expr> conditions;
  for (int d = 0; d < x.rank(); ++d) {
    const std::int64_t width = std::max(a.before[d], a.after[d]);
    if (a.mode != "constant" && width > 0)
      conditions.push_back(x.shape(d) >= (a.mode == "edge" ? 1 : width + 1));
  }
  return conditions;
}

}  // namespace

Tensor pad(const Tensor& x, const PadAttributes& a, const Where& where) {
  const Writer op("pad", where);
  if (a.mode != "constant" && a.mode != "edge" && a.mode != "reflect")
    throw op.refused("there is no mode \"" + a.mode + "\"",
                     "give \"constant\", \"edge\" or \"reflect\"");
  if (int(a.before.size()) != x.rank() || int(a.after.size()) != x.rank())
    throw op.refused(fmt::format("{} and {} widths are given for {} dimensions", a.before.size(),
                                 a.after.size(), x.rank()),
                     "give one of each for a dimension");
  Shape shape;
  for (int d = 0; d < x.rank(); ++d) {
    if (a.before[d] < 0 || a.after[d] < 0)
      throw op.refused("a width is negative", "give 0 or more; strided_slice cuts");
    shape.push_back(x.shape(d) + a.before[d] + a.after[d]);
  }
  ComputeForm form;
  form.assumptions = needed_to_pad(x, a);
  const auto value = [&](const Indices& i) {
    Indices at;
    for (int d = 0; d < x.rank(); ++d) at.push_back(i[d] - a.before[d]);
    return strata::tuple({padded(x, at, a)});
  };
  return compute_tuple(shape, form, value, op.name(), where)[0];
}

namespace {

template <typename Keeps>
Tensor triangle(const char* name, const Tensor& x, const Where& where, const Keeps& keeps) {
  const Writer op(name, where);
  op.require_least_rank("x", x, 2);
  return op.compute(x.shape(), [&](const Indices& i) {
    return select(keeps(i.at(-2), i.at(-1)), x(i), typed(x.type(), 0));
  });
}

}  // namespace

Tensor tril(const Tensor& x, const DiagonalAttributes& a, const Where& where) {
  return triangle("tril", x, where, [&](const Expr& i, const Expr& j) { return j <= i + a.k; });
}

Tensor triu(const Tensor& x, const DiagonalAttributes& a, const Where& where) {
  return triangle("triu", x, where, [&](const Expr& i, const Expr& j) { return j >= i + a.k; });
}

namespace {

void require_block(const Writer& op, const Tensor& x, const BlockAttributes& a) {
  op.require_rank("x", x, 4);
  if (a.block < 1 || (a.mode != "DCR" && a.mode != "CRD"))
    throw op.refused("the block is " + std::to_string(a.block) + ", the mode \"" + a.mode + "\"",
                     "give a block of 1 or more, and \"DCR\" or \"CRD\"");
}

void require_divides(const Writer& op, const Tensor& x, int d, std::int64_t divisor) {
  if (!provably_divides(divisor, x.shape(d)))
    throw op.refused(fmt::format("extent {} of x is {}, which {} does not provably divide", d,
                                 dim_text(x.shape(d)), divisor),
                     "pad x, or take another block");
}

}  // namespace

Tensor depth_to_space(const Tensor& x, const BlockAttributes& a, const Where& where) {
  const Writer op("depth_to_space", where);
  require_block(op, x, a);
  const std::int64_t b = a.block;
  require_divides(op, x, 1, b * b);
  const Expr c = normal(x.shape(1) / (b * b));
  return op.compute({x.shape(0), c, x.shape(2) * b, x.shape(3) * b}, [&](const Indices& i) {
    const Expr in_block = i[2] % b * b + i[3] % b;
    const Expr channel = a.mode == "DCR" ? in_block * c + i[1] : i[1] * (b * b) + in_block;
    return x(i[0], channel, i[2] / b, i[3] / b);
  });
}

Tensor space_to_depth(const Tensor& x, const BlockAttributes& a, const Where& where) {
  const Writer op("space_to_depth", where);
  require_block(op, x, a);
  const std::int64_t b = a.block;
  require_divides(op, x, 2, b);
  require_divides(op, x, 3, b);
  const Expr c = x.shape(1);
  return op.compute({x.shape(0), c * (b * b), x.shape(2) / b, x.shape(3) / b},
                    [&](const Indices& i) {
                      const bool outside = a.mode == "DCR";
                      const Expr in_block = outside ? i[1] / c : i[1] % (b * b);
                      const Expr channel = outside ? i[1] % c : i[1] / (b * b);
                      return x(i[0], channel, i[2] * b + in_block / b, i[3] * b + in_block % b);
                    });
}

Tensor layout_transform(const Tensor& x, const LayoutAttributes& a, const Where& where) {
  const Request request{"layout_transform", where};
  return transformed(x, Layout::parsed(a.from, request), Layout::parsed(a.to, request), request);
}

void register_shapes() {
  Registered("broadcast_to", {"x"}, broadcast_to);
  Registered("expand_dims", {"x"}, expand_dims);
  Registered("squeeze", {"x"}, squeeze);
  Registered("reshape", {"x"}, reshape);
  Registered("flatten", {"x"}, flatten);
  Registered("batch_flatten", {"x"}, batch_flatten);
  Registered("transpose", {"x"}, transpose);
  Registered("split", {"x"}, split);
  Registered("concatenate", {"tensors"}, concatenate);
  Registered("stack", {"tensors"}, stack);
  Registered("tile", {"x"}, tile);
  Registered("strided_slice", {"x"}, strided_slice);
  Registered("reverse", {"x"}, reverse);
  Registered("stop_fusion", {"x"}, stop_fusion);
  Registered("pad", {"x"}, pad);
  Registered("tril", {"x"}, tril);
  Registered("triu", {"x"}, triu);
  Registered("depth_to_space", {"x"}, depth_to_space);
  Registered("space_to_depth", {"x"}, space_to_depth);
  Registered("layout_transform", {"x"}, layout_transform);
}

}  // namespace strata::graph
