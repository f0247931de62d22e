#include "graph/onnx/window.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/ops/writer.h"

namespace strata::graph::onnx {

namespace {

Integers each(Node& n, const char* name, std::size_t rank, std::int64_t absent,
              std::int64_t least) {
  const Integers values = n.integers(name, Integers(rank, absent));
  if (values.size() != rank)
    throw n.refused(fmt::format("{} has {} numbers for {} dimensions", name, values.size(), rank));
  for (const std::int64_t v : values)
    if (v < least || v > 1LL << 31) throw n.refused(fmt::format("{} has {}", name, v));
  return values;
}

// Pads for ceil(extent / stride) positions. If the number of zeros is odd, SAME_UPPER has one more
// at the end.
void pad_same(Node& n, WindowOf& w, const Shape& extents, bool upper) {
  for (std::size_t d = 0; d < w.strides.size(); ++d) {
    const auto extent = constant_dim(extents[int(d)]), size = constant_dim(w.size[int(d)]);
    if (!size || (!extent && w.strides[d] != 1))
      throw n.unsupported("auto_pad needs an extent that is a number");
    const std::int64_t reach = w.dilation[d] * (*size - 1) + 1;
    const std::int64_t windows = extent ? (*extent + w.strides[d] - 1) / w.strides[d] : 0;
    const std::int64_t total =
        extent ? std::max<std::int64_t>((windows - 1) * w.strides[d] + reach - *extent, 0)
               : reach - 1;
    w.before[d] = upper ? total / 2 : total - total / 2;
    w.after[d] = total - w.before[d];
  }
}

// (extent + before + after - dilation (size - 1) - 1) / stride + 1
Expr positions(const WindowOf& w, const Expr& extent, std::size_t d, bool ceil_mode) {
  const Expr free = extent + (w.before[d] + w.after[d]) - w.dilation[d] * (w.size[int(d)] - 1) - 1;
  if (!ceil_mode) return normal(max(free / w.strides[d] + 1, 0));
  const Expr ceiled = (free + (w.strides[d] - 1)) / w.strides[d] + 1;
  const Expr last_begin = (extent + w.before[d] - 1) / w.strides[d] + 1;
  return normal(max(min(ceiled, last_begin), 0));
}

}  // namespace

WindowOf window_of(Node& n, int rank, const Shape& size, const Shape& extents) {
  if (rank < 1 || size.rank() != rank)
    throw n.refused(fmt::format("the window has {} dimensions, and x has {}", size.rank(), rank));
  WindowOf w;
  w.size = size;
  const auto count = std::size_t(rank);
  w.strides = each(n, "strides", count, 1, 1);
  w.dilation = each(n, "dilations", count, 1, 1);
  const Integers pads = each(n, "pads", 2 * count, 0, -(1LL << 31));
  w.before.assign(pads.begin(), pads.begin() + rank);
  w.after.assign(pads.begin() + rank, pads.end());
  const std::string automatic = n.text("auto_pad", "NOTSET");
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER")
    pad_same(n, w, extents, automatic == "SAME_UPPER");
  else if (automatic != "NOTSET" && automatic != "VALID" && !automatic.empty())
    throw n.refused("auto_pad is \"" + automatic + "\"");
  return w;
}

Shape pooled_shape(Node& n, const WindowOf& w) {
  const Shape& dims = n.dims(n.in(0));
  Shape shape = dims.first(2);
  for (std::size_t d = 0; d < w.strides.size(); ++d)
    shape.push_back(positions(w, dims[int(d) + 2], d, n.flag("ceil_mode", false)));
  return shape;
}

std::vector<Axis> axes_of(const WindowOf& w) {
  std::vector<Axis> axes;
  for (int d = 0; d < w.size.rank(); ++d)
    axes.push_back(reduce_axis(w.size[d], fmt::format("k{}", d)));
  return axes;
}

WindowElement element_at(const Tensor& x, const WindowOf& w, const Indices& i,
                         const std::vector<Axis>& k) {
  WindowElement e{{i[0], i[1]}, {}, {}};
  for (std::size_t d = 0; d < k.size(); ++d) {
    const Expr place = w.place(i[int(d) + 2], k[d], d);
    e.is_inside = both(e.is_inside, both(place >= 0, place < x.shape(int(d) + 2)));
    e.place.push_back(place);
  }
  e.value = x(e.place);
  return e;
}

Value convolved(Node& n, const Value& x, const Value& w, const WindowOf& window,
                std::int64_t groups) {
  const int rank = int(window.strides.size());
  const bool is_plain =
      std::all_of(window.before.begin(), window.before.end(),
                  [](std::int64_t v) { return v >= 0; }) &&
      std::all_of(window.after.begin(), window.after.end(), [](std::int64_t v) { return v >= 0; });
  if (rank <= 2 && is_plain) {
    ConvAttributes conv{window.strides, window.before, window.dilation, groups};
    conv.padding.insert(conv.padding.end(), window.after.begin(), window.after.end());
    return n(rank == 1 ? "conv1d" : "conv2d", {x, w}, conv);
  }
  const Shape dims = n.dims(x), kernel = n.dims(w);
  if (groups < 1 || equal(dims[1], kernel[1] * groups) != Answer::yes)
    throw n.refused("the channels of x are not those of w for each group");
  Shape shape{dims[0], kernel[0]};
  for (int d = 0; d < rank; ++d)
    shape.push_back(positions(window, dims[d + 2], std::size_t(d), false));
  const auto conv = [&](const Tensor& t, const Tensor& weight) {
    const Axis c = reduce_axis(kernel[1], "c");
    const std::vector<Axis> k = axes_of(window);
    std::vector<Axis> over{c};
    over.insert(over.end(), k.begin(), k.end());
    return compute(
        shape,
        [&](const Indices& i) {
          const Expr group = i[1] / normal(kernel[0] / groups);
          const Expr channel = groups == 1 ? Expr(c) : group * kernel[1] + c;
          const WindowElement e = element_at(t, window, i.with(1, channel), k);
          Indices at{i[1], c};
          at.insert(at.end(), k.begin(), k.end());
          return strata::sum(over, select(e.is_inside, e.value * weight(at), typed(t.type(), 0)));
        },
        "conv", n.emitter().where());
  };
  return n.emitter().emit_te("conv", conv, x, w);
}

}  // namespace strata::graph::onnx
