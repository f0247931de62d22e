// Other resolutions.
//
// Along an axis of known extents, each element of the result is a sum of few elements of x, with
// constant places and weights. Nearest, linear and cubic differ only in these tables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/onnx/rows.h"
#include "graph/ops/writer.h"

namespace strata::graph::onnx {

namespace {

constexpr std::int64_t longest_axis = 1 << 20;

// What Resize says about one axis.
struct AxisForm {
  std::int64_t from, to;
  double scale;
  double roi_begin = 0, roi_end = 1;
};

struct Form {
  std::string mode, coordinates, nearest;
  double cubic = -0.75, extrapolated = 0;
  bool excludes_outside = false, antialias = false;
};

// Where element i of the result is in x.
double place_of(const Node& n, const Form& form, const AxisForm& a, std::int64_t i) {
  const double length = a.scale * double(a.from), x = double(i), last = double(a.from - 1);
  const std::string& c = form.coordinates;
  if (c == "asymmetric") return x / a.scale;
  if (c == "align_corners") return length == 1 ? 0 : x * last / (length - 1);
  if (c == "pytorch_half_pixel" && length <= 1) return -0.5;
  if (c == "half_pixel" || c == "pytorch_half_pixel") return (x + 0.5) / a.scale - 0.5;
  if (c == "half_pixel_symmetric") {
    const double offset = double(a.from) / 2 * (1 - double(a.to) / length);
    return offset + (x + 0.5) / a.scale - 0.5;
  }
  if (c == "tf_crop_and_resize") {
    const double width = a.roi_end - a.roi_begin, begin = a.roi_begin * last;
    return length == 1 ? begin + width * last / 2 : begin + x * width * last / (length - 1);
  }
  throw n.refused("coordinate_transformation_mode is \"" + c + "\"");
}

double nearest_of(const Node& n, const std::string& mode, double x) {
  if (mode == "floor") return std::floor(x);
  if (mode == "ceil") return std::ceil(x);
  if (mode == "round_prefer_floor") return std::ceil(x - 0.5);
  if (mode == "round_prefer_ceil") return std::floor(x + 0.5);
  throw n.refused("nearest_mode is \"" + mode + "\"");
}

double triangle(double x) { return std::max(0.0, 1 - std::abs(x)); }
double cubic(double x, double a) {
  x = std::abs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

struct Tap {
  std::int64_t at;
  double weight;
};

// The elements around x, with weights by a triangle or a cubic. Antialias makes it wider where
// several elements become one.
std::vector<Tap> taps_at(const Node& n, const Form& form, const AxisForm& a, double x) {
  if (form.mode == "nearest") return {{std::int64_t(nearest_of(n, form.nearest, x)), 1}};
  const double narrow = form.antialias ? std::min(a.scale, 1.0) : 1;
  const double reach = (form.mode == "linear" ? 1 : 2) / narrow;
  std::vector<Tap> taps;
  for (auto k = std::int64_t(std::floor(x - reach)) + 1; double(k) < x + reach; ++k) {
    const double distance = (double(k) - x) * narrow;
    taps.push_back({k, form.mode == "linear" ? triangle(distance) : cubic(distance, form.cubic)});
  }
  double total = 0;
  for (Tap& tap : taps) {
    if (form.excludes_outside && (tap.at < 0 || tap.at >= a.from)) tap.weight = 0;
    total += tap.weight;
  }
  for (Tap& tap : taps) tap.weight /= total;
  return taps;
}

// Places (to, taps) and weights of the elements that become one.
struct Table {
  NDArray places, weights;
};

Table table_of(const Node& n, const Form& form, const AxisForm& a) {
  std::vector<std::vector<Tap>> rows;
  std::size_t width = 1;
  for (std::int64_t i = 0; i < a.to; ++i) {
    rows.push_back(taps_at(n, form, a, place_of(n, form, a, i)));
    width = std::max(width, rows.back().size());
  }
  if (width * rows.size() > std::size_t(longest_axis) * 16) throw n.unsupported("an axis is long");
  const Table table{NDArray(strata_int(64), {a.to, std::int64_t(width)}),
                    NDArray(strata_float(32), {a.to, std::int64_t(width)})};
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < rows[i].size(); ++k) {
      const std::int64_t at = std::clamp<std::int64_t>(rows[i][k].at, 0, a.from - 1);
      table.places.data<std::int64_t>()[i * width + k] = at;
      table.weights.data<float>()[i * width + k] = float(rows[i][k].weight);
    }
  return table;
}

// y(.., i, ..) = sum_k weights(i, k) x(.., places(i, k), ..)
Value resized_axis(Node& n, const Value& x, const Form& form, const AxisForm& a, int axis) {
  const Table table = table_of(n, form, a);
  const std::int64_t width = table.places.extents()[1];
  Emitter& e = n.emitter();
  if (width == 1)
    return n("take", {x, e.constant(table.places.viewed({a.to}))}, TakeAttributes{axis, "error"});
  const auto resize = [&](const Tensor& t, const Tensor& places, const Tensor& weights) {
    const Axis k = reduce_axis(width, "k");
    return compute(
        t.shape().with(axis, a.to),
        [&](const Indices& i) {
          return strata::sum(k, weights(i[axis], k) * t(i.with(axis, places(i[axis], k))));
        },
        "resize", e.where());
  };
  const Value weights = n.cast(e.constant(table.weights), n.type(x));
  return e.emit_te("resize", resize, x, e.constant(table.places), weights);
}

// Elements of the result with a place outside of x get a value of their own.
Value extrapolated(Node& n, const Value& y, const Form& form, const AxisForm& a, int axis) {
  const NDArray outside(strata_type_of(1, 1), {a.to});
  for (std::int64_t i = 0; i < a.to; ++i) {
    const double x = place_of(n, form, a, i);
    outside.raw()[i] = std::byte(x < 0 || x > double(a.from - 1));
  }
  Value mask = n.emitter().constant(outside);
  if (const int behind = n.rank(y) - axis - 1; behind > 0)
    mask = n("expand_dims", {mask}, NewAxesAttributes{1, behind});
  return n("where", {mask, n.scalar(n.type(y), form.extrapolated), y});
}

Form form_of(Node& n) {
  Form form;
  form.mode = n.text("mode", "nearest");
  if (form.mode == "bilinear" || form.mode == "trilinear") form.mode = "linear";
  if (form.mode != "nearest" && form.mode != "linear" && form.mode != "cubic")
    throw n.refused("mode is \"" + form.mode + "\"");
  const bool is_old = n.version() < 11;
  form.coordinates = n.text("coordinate_transformation_mode", is_old ? "asymmetric" : "half_pixel");
  form.nearest = n.text("nearest_mode", is_old ? "floor" : "round_prefer_floor");
  form.cubic = n.real("cubic_coeff_a", -0.75);
  form.extrapolated = n.real("extrapolation_value", 0);
  form.excludes_outside = n.flag("exclude_outside", false);
  form.antialias = n.flag("antialias", false);
  return form;
}

// The operands: scales or sizes, for some axes.
struct Wanted {
  Integers axes;
  std::vector<double> scales = {};
  Shape sizes = {};
  std::vector<double> roi = {};
};

Wanted wanted_of(Node& n) {
  Wanted w;
  const int rank = n.rank(n.in(0));
  w.axes = n.integers("axes");
  for (std::int64_t& axis : w.axes) axis = n.axis(axis, rank);
  if (!n.has("axes"))
    for (int d = 0; d < rank; ++d) w.axes.push_back(d);
  const auto has_numbers = [&](int k) {
    return n.has(k) && !(n.rank(n.in(k)) == 1 && constant_dim(n.dims(n.in(k))[0]) == 0);
  };
  if (n.version() < 11) {
    w.scales = n.has("scales") ? n.reals("scales") : n.reals(1);
  } else {
    if (has_numbers(1)) w.roi = n.reals(1);
    if (has_numbers(2))
      w.scales = n.reals(2);
    else
      w.sizes = n.sizes(3);
  }
  if (std::max(w.scales.size(), w.sizes.size()) != w.axes.size())
    throw n.refused("there is not one scale or size for each axis");
  for (const double scale : w.scales)
    if (!(scale > 0 && scale < 1e6)) throw n.refused(fmt::format("a scale is {}", scale));
  return w;
}

// Uses one scale for all axes: the smallest or the largest of theirs.
void keep_ratio(Node& n, Wanted& w, const Shape& dims) {
  const std::string policy = n.text("keep_aspect_ratio_policy", "stretch");
  if (policy == "stretch" || w.sizes.empty()) return;
  double scale = policy == "not_larger" ? 1e300 : 0;
  std::vector<double> extents;
  for (std::size_t k = 0; k < w.axes.size(); ++k) {
    const auto from = constant_dim(dims[int(w.axes[k])]), to = constant_dim(w.sizes[int(k)]);
    if (!from || !to || *from == 0) throw n.unsupported("an extent is not a number");
    extents.push_back(double(*from));
    const double ratio = double(*to) / double(*from);
    scale = policy == "not_larger" ? std::min(scale, ratio) : std::max(scale, ratio);
  }
  for (std::size_t k = 0; k < w.axes.size(); ++k) {
    w.sizes[int(k)] = std::int64_t(std::floor(scale * extents[k] + 0.5));
    w.scales.push_back(scale);
  }
}

// Resizes the last two axes if scales are whole and extents are symbolic.
Values symbolic(Node& n, const Wanted& w, const Form& form) {
  const Value x = n.in(0);
  const Shape dims = n.dims(x);
  const bool is_floor = form.nearest == "floor" && form.coordinates == "asymmetric";
  const bool fits = form.mode == "nearest" ? is_floor : form.mode == "linear" && !form.antialias;
  if (dims.rank() != 4 || !fits ||
      (form.coordinates != "asymmetric" && form.coordinates != "half_pixel" &&
       form.coordinates != "align_corners" && form.coordinates != "pytorch_half_pixel"))
    throw n.unsupported("extents that are not numbers are resized in this mode");
  Shape size = dims;
  for (std::size_t k = 0; k < w.axes.size(); ++k) {
    const int axis = int(w.axes[k]);
    if (!w.sizes.empty()) {
      size[axis] = w.sizes[int(k)];
    } else {
      if (w.scales[k] != std::floor(w.scales[k]))
        throw n.unsupported("the scale of an extent that is not a number is not an integer");
      size[axis] = normal(dims[axis] * std::int64_t(w.scales[k]));
    }
  }
  if (equal(size[0], dims[0]) != Answer::yes || equal(size[1], dims[1]) != Answer::yes)
    throw n.unsupported("batches or channels are resized");
  const std::string coordinates =
      form.coordinates == "pytorch_half_pixel" ? "half_pixel" : form.coordinates;
  return {n("resize2d", {x}, ResizeAttributes{{size[2], size[3]}, form.mode, coordinates})};
}

Values resize(Node& n) {
  Value x = n.in(0);
  const Shape dims = n.dims(x);
  const Form form = form_of(n);
  Wanted w = wanted_of(n);
  keep_ratio(n, w, dims);
  for (std::size_t k = 0; k < w.axes.size(); ++k) {
    const auto from = constant_dim(dims[int(w.axes[k])]);
    const auto to =
        w.sizes.empty() ? std::optional<std::int64_t>(0) : constant_dim(w.sizes[int(k)]);
    const bool stays = !w.scales.empty() && w.scales[k] == 1 && w.sizes.empty();
    if (stays && form.coordinates != "tf_crop_and_resize") continue;
    if (!from || !to) return symbolic(n, w, form);
    AxisForm a{*from, *to, 1};
    a.scale = w.scales.empty() ? double(*to) / double(*from) : w.scales[k];
    if (w.sizes.empty()) a.to = std::int64_t(std::floor(double(*from) * a.scale));
    if (a.from < 1 || a.to < 0 || a.to > longest_axis)
      throw n.unsupported("an extent is 0 or large");
    if (w.roi.size() == 2 * w.axes.size()) {
      a.roi_begin = w.roi[k];
      a.roi_end = w.roi[k + w.axes.size()];
    }
    const int axis = int(w.axes[k]);
    x = resized_axis(n, x, form, a, axis);
    if (form.coordinates == "tf_crop_and_resize") x = extrapolated(n, x, form, a, axis);
  }
  return {x};
}

constexpr Row resize_table[] = {
    {"Resize", resize, 10},
    {"Upsample", resize, 7},
};

}  // namespace

std::span<const Row> resize_rows() { return resize_table; }

}  // namespace strata::graph::onnx
