// Convolutions, pools, and changes of resolution.
#include <fmt/format.h>

#include "graph/ops/ops.h"
#include "graph/ops/registry.h"
#include "graph/ops/writer.h"

namespace strata::graph {

namespace {

// The window of an operator on x (n, c, spatial..).
struct Window {
  Shape size;
  Integers strides, before, after, dilation;

  int rank() const { return size.rank(); }
  // (extent + before + after - dilation (size - 1) - 1) / stride + 1
  Expr positions(const Expr& extent, int d, bool ceil_mode) const {
    const Expr free = extent + (before[d] + after[d]) - dilation[d] * (size[d] - 1) - 1;
    if (!ceil_mode) return normal(max(free / strides[d] + 1, 0));
    // The last window begins in x, or in the padding before it.
    const Expr ceiled = (free + (strides[d] - 1)) / strides[d] + 1;
    const Expr last_begin = (extent + before[d] - 1) / strides[d] + 1;
    return normal(max(min(ceiled, last_begin), 0));
  }
  // The place in x that offset k of window i reads; it may be outside.
  Expr place(const Expr& i, const Expr& k, int d) const {
    return i * strides[d] - before[d] + k * dilation[d];
  }
};

Integers or_all(const Writer& op, const char* name, Integers given, std::size_t count,
                std::int64_t value, std::int64_t least) {
  if (given.empty()) given.assign(count, value);
  if (given.size() != count)
    throw op.refused(
        fmt::format("{} has {} numbers, and {} are needed", name, given.size(), count));
  for (const std::int64_t v : given)
    if (v < least) throw op.refused(fmt::format("{} has {}, and {} is the least", name, v, least));
  return given;
}

Window window_of(const Writer& op, const Shape& size, const Integers& strides,
                 const Integers& padding, const Integers& dilation) {
  const std::size_t count = size.size();
  Window w;
  w.size = size;
  w.strides = or_all(op, "strides", strides, count, 1, 1);
  w.dilation = or_all(op, "dilation", dilation, count, 1, 1);
  const bool both_ends = padding.size() == 2 * count;
  const Integers ends = or_all(op, "padding", padding, both_ends ? 2 * count : count, 0, 0);
  w.before.assign(ends.begin(), ends.begin() + std::ptrdiff_t(count));
  w.after.assign(both_ends ? ends.begin() + std::ptrdiff_t(count) : ends.begin(), ends.end());
  return w;
}

// x with zeros around it, where the window reads outside.
Tensor zero_padded(const Writer& op, const Tensor& x, const Window& w) {
  PadAttributes pad_attributes;
  pad_attributes.before = pad_attributes.after = Integers(x.shape().size(), 0);
  bool pads = false;
  for (int d = 0; d < w.rank(); ++d) {
    pad_attributes.before[d + 2] = w.before[d];
    pad_attributes.after[d + 2] = w.after[d];
    pads |= w.before[d] + w.after[d] > 0;
  }
  return pads ? pad(x, pad_attributes, op.where()) : x;
}

std::vector<Axis> axes_of(const Window& w) {
  std::vector<Axis> axes;
  for (int d = 0; d < w.rank(); ++d)
    axes.push_back(reduce_axis(w.size[d], "k" + std::to_string(d)));
  return axes;
}

// x has groups times the channels of w, whose outputs the groups divide.
void require_channels(const Writer& op, const Tensor& x, const Tensor& w, std::int64_t groups) {
  const Expr channels = w.shape(1) * groups;
  const Answer same = groups < 1 ? Answer::no : graph::equal(x.shape(1), channels);
  if (same == Answer::yes && provably_divides(groups, w.shape(0))) return;
  const Error error = op.refused(
      fmt::format("x has {} channels, and w ({} of {}) has {} for each of {} groups",
                  dim_text(x.shape(1)), dim_text(w.shape(0)), text_of(w.shape()),
                  dim_text(w.shape(1)), groups),
      "give x groups times the channels of w, and a number of groups that divides the outputs");
  if (same == Answer::unknown) throw MayDiffer(error.refusal(), x.shape(1), channels);
  throw error;
}

// y(n, o, i..) = sum_(c, k..) x(n, g c' + c, i s + k d..) w(o, c, k..), g = o / (outputs / groups)
Tensor convolution(const char* name, const Tensor& x, const Tensor& w, const ConvAttributes& a,
                   const Where& where, int rank) {
  const Writer op(name, where);
  op.require_rank("x", x, rank + 2);
  op.require_rank("w", w, rank + 2);
  op.require_same_type("x", x, "w", w);
  const Expr inputs = w.shape(1), outputs = w.shape(0);
  require_channels(op, x, w, a.groups);
  const Window window = window_of(op, w.shape().from(2), a.strides, a.padding, a.dilation);
  const Tensor source = zero_padded(op, x, window);
  Shape shape{x.shape(0), outputs};
  for (int d = 0; d < rank; ++d) shape.push_back(window.positions(x.shape(d + 2), d, false));
  const Axis c = reduce_axis(inputs, "c");
  const std::vector<Axis> k = axes_of(window);
  std::vector<Axis> over{c};
  over.insert(over.end(), k.begin(), k.end());
  return op.compute(shape, [&](const Indices& i) {
    const Expr group = i[1] / normal(outputs / a.groups);
    Indices from{i[0], a.groups == 1 ? Expr(c) : group * inputs + c}, weight{i[1], c};
    for (int d = 0; d < rank; ++d) {
      from.push_back(i[d + 2] * window.strides[d] + k[d] * window.dilation[d]);
      weight.push_back(k[d]);
    }
    return strata::sum(over, source(from) * w(weight));
  });
}

}  // namespace

Tensor conv1d(const Tensor& x, const Tensor& w, const ConvAttributes& a, const Where& where) {
  return convolution("conv1d", x, w, a, where, 1);
}

Tensor conv2d(const Tensor& x, const Tensor& w, const ConvAttributes& a, const Where& where) {
  return convolution("conv2d", x, w, a, where, 2);
}

// Window k of x(.., i) adds to y(.., i s + k - before); so y(.., j) is the sum over those k for
// which s divides j + before - k.
Tensor conv2d_transpose(const Tensor& x, const Tensor& w, const ConvTransposeAttributes& a,
                        const Where& where) {
  const Writer op("conv2d_transpose", where);
  op.require_rank("x", x, 4);
  op.require_rank("w", w, 4);
  op.require_same_type("x", x, "w", w);
  op.require_equal("x", x, 1, "w", w, 0);
  const Window window = window_of(op, w.shape().from(2), a.strides, a.padding, {});
  const Integers extra = or_all(op, "output_padding", a.output_padding, 2, 0, 0);
  Shape shape{x.shape(0), w.shape(1)};
  for (int d = 0; d < 2; ++d)
    shape.push_back((x.shape(d + 2) - 1) * window.strides[d] -
                    (window.before[d] + window.after[d]) + w.shape(d + 2) + extra[d]);
  const Axis c = reduce_axis(x.shape(1), "c");
  const std::vector<Axis> k = axes_of(window);
  return op.compute(shape, [&](const Indices& i) {
    Expr adds;
    Indices from{i[0], c};
    for (int d = 0; d < 2; ++d) {
      const Expr at = i[d + 2] + window.before[d] - k[d];
      const Expr place = at / window.strides[d];
      adds = both(adds, at % window.strides[d] == 0 && place >= 0 && place < x.shape(d + 2));
      from.push_back(place);
    }
    return strata::sum({c, k[0], k[1]},
                       select(adds, x(from) * w(c, i[1], k[0], k[1]), typed(x.type(), 0)));
  });
}

namespace {

// The element of x at offset k of a window, or "outside" where that is not in x.
Expr element_or(const Tensor& x, const Window& w, const Indices& i, const std::vector<Axis>& k,
                const Expr& outside) {
  Indices from{i[0], i[1]};
  Expr inside;
  for (int d = 0; d < w.rank(); ++d) {
    const Expr place = w.place(i[d + 2], k[d], d);
    inside = both(inside, place >= 0 && place < x.shape(d + 2));
    from.push_back(place);
  }
  return select(inside, x(from), outside);
}

Window pool_window(const Writer& op, const Tensor& x, const PoolAttributes& a) {
  op.require_rank("x", x, 4);
  const Integers sizes = or_all(op, "window", a.window, 2, 1, 1);
  return window_of(op, Shape(sizes.begin(), sizes.end()), a.strides, a.padding, {});
}

Shape pooled(const Tensor& x, const Window& w, bool ceil_mode) {
  Shape shape{x.shape(0), x.shape(1)};
  for (int d = 0; d < 2; ++d) shape.push_back(w.positions(x.shape(d + 2), d, ceil_mode));
  return shape;
}

// The number of places of a window that count on one axis.
Expr counted(const Tensor& x, const Window& w, const Indices& i, int d, bool with_padding) {
  const Expr begin = i[d + 2] * w.strides[d] - w.before[d], end = begin + w.size[d];
  const Expr least = with_padding ? Expr(-w.before[d]) : Expr(std::int64_t{0});
  const Expr extent = x.shape(d + 2) + (with_padding ? w.after[d] : 0);
  return min(end, extent) - max(begin, least);
}

}  // namespace

Tensor max_pool2d(const Tensor& x, const PoolAttributes& a, const Where& where) {
  const Writer op("max_pool2d", where);
  const Window w = pool_window(op, x, a);
  const std::vector<Axis> k = axes_of(w);
  const Expr least = identity_of(Reduction::maximum, x.type());
  return op.compute(pooled(x, w, a.ceil_mode), [&](const Indices& i) {
    return strata::maximum(k, element_or(x, w, i, k, least));
  });
}

Tensor avg_pool2d(const Tensor& x, const PoolAttributes& a, const Where& where) {
  const Writer op("avg_pool2d", where);
  const Window w = pool_window(op, x, a);
  const std::vector<Axis> k = axes_of(w);
  const Tensor total = op.compute(
      pooled(x, w, a.ceil_mode),
      [&](const Indices& i) { return strata::sum(k, element_or(x, w, i, k, typed(x.type(), 0))); },
      "sum");
  return op.compute(total.shape(), [&](const Indices& i) {
    const Expr count =
        counted(x, w, i, 0, a.count_include_pad) * counted(x, w, i, 1, a.count_include_pad);
    return total(i) / strata::cast(x.type(), count);
  });
}

Tensor global_max_pool2d(const Tensor& x, const Where& where) {
  Writer("global_max_pool2d", where).require_rank("x", x, 4);
  return max(x, {{2, 3}, true}, where);
}

Tensor global_avg_pool2d(const Tensor& x, const Where& where) {
  Writer("global_avg_pool2d", where).require_rank("x", x, 4);
  return mean(x, {{2, 3}, true}, where);
}

namespace {

// The place in x of a pixel of the result: numerator / denominator. These are integers, so the
// place is exact.
struct SourcePosition {
  Expr numerator, denominator;

  Expr floor() const { return numerator / denominator; }
  // The nearest pixel, of two the one before.
  Expr nearest() const { return (2 * numerator + denominator - 1) / (2 * denominator); }
  // The distance from floor(), below 1.
  Expr rest(Type type) const {
    return strata::cast(type, numerator % denominator) / strata::cast(type, denominator);
  }
};

SourcePosition place_of(const Writer& op, const Tensor& x, const ResizeAttributes& a, const Expr& i,
                        int d) {
  const Expr from = x.shape(d + 2), to = normal(a.size[d]);
  if (a.coordinates == "half_pixel") return {(2 * i + 1) * from - to, 2 * to};
  if (a.coordinates == "asymmetric") return {i * from, to};
  if (a.coordinates == "align_corners") return {i * (from - 1), strata::max(to - 1, 1)};
  throw op.refused("there are no coordinates \"" + a.coordinates + "\"",
                   "give \"half_pixel\", \"asymmetric\" or \"align_corners\"");
}

Expr cut(const Expr& index, const Expr& extent) { return clamp(index, 0, extent - 1); }

}  // namespace

Tensor resize2d(const Tensor& x, const ResizeAttributes& a, const Where& where) {
  const Writer op("resize2d", where);
  op.require_rank("x", x, 4);
  if (a.size.rank() != 2) throw op.refused("size is " + text_of(a.size), "give two extents");
  if (a.method != "linear" && a.method != "nearest")
    throw op.refused("there is no method \"" + a.method + "\"", "give \"linear\" or \"nearest\"");
  const Expr h = x.shape(2), w = x.shape(3);
  return op.compute({x.shape(0), x.shape(1), a.size[0], a.size[1]}, [&](const Indices& i) {
    const SourcePosition y = place_of(op, x, a, i[2], 0), z = place_of(op, x, a, i[3], 1);
    if (a.method == "nearest") {
      const bool rounds = a.coordinates == "half_pixel";
      return x(i[0], i[1], cut(rounds ? y.nearest() : y.floor(), h),
               cut(rounds ? z.nearest() : z.floor(), w));
    }
    const Expr y0 = y.floor(), z0 = z.floor(), v = y.rest(x.type()), u = z.rest(x.type());
    const auto row = [&](const Expr& r) {
      return x(i[0], i[1], r, cut(z0, w)) * (1 - u) + x(i[0], i[1], r, cut(z0 + 1, w)) * u;
    };
    return row(cut(y0, h)) * (1 - v) + row(cut(y0 + 1, h)) * v;
  });
}

void register_windows() {
  Registered("conv1d", {"x", "w"}, conv1d);
  Registered("conv2d", {"x", "w"}, conv2d);
  Registered("conv2d_transpose", {"x", "w"}, conv2d_transpose);
  Registered("max_pool2d", {"x"}, max_pool2d);
  Registered("avg_pool2d", {"x"}, avg_pool2d);
  Registered("global_max_pool2d", {"x"}, global_max_pool2d);
  Registered("global_avg_pool2d", {"x"}, global_avg_pool2d);
  Registered("resize2d", {"x"}, resize2d);
}

}  // namespace strata::graph
