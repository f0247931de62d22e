// Reads elements at computed places, and puts windows back into an image.
#include <fmt/format.h>

#include "graph/onnx/window.h"
#include "graph/ops/writer.h"

namespace strata::graph::onnx {

namespace {

// How GridSample finds elements.
struct Sampling {
  std::string mode, padding;
  bool aligned;

  // -1 and 1 are the centers of the first and last element, or their outer ends.
  Expr place(const Expr& x, const Expr& extent) const {
    const Expr length = cast(x.type(), extent);
    return aligned ? (x + 1) / 2 * (length - 1) : ((x + 1) * length - 1) / 2;
  }
  // The element that stands for an element outside.
  Expr inside(const Expr& i, const Expr& extent) const {
    if (padding == "border") return clamp(i, 0, extent - 1);
    if (padding == "zeros") return i;
    const Expr period = aligned ? max(2 * (extent - 1), 1) : 2 * extent;
    const Expr p = i % period;
    return aligned ? select(p < extent, p, period - p) : select(p < extent, p, period - 1 - p);
  }
  int taps() const { return mode == "nearest" ? 1 : mode == "linear" ? 2 : 4; }
  // The first element that counts, and the weight of the k-th one.
  Expr first(const Expr& x) const {
    return cast(i64, mode == "nearest"  ? floor(x + 0.5)
                     : mode == "linear" ? floor(x)
                                        : floor(x) - 1);
  }
  Expr weight(const Expr& x, int k) const {
    const Expr rest = x - floor(x);
    if (mode == "nearest") return typed(x.type(), 1);
    if (mode == "linear") return k == 0 ? 1 - rest : rest;
    const double a = -0.75;
    const Expr d = abs(rest - double(k - 1));
    return k == 1 || k == 2 ? ((a + 2) * d - (a + 3)) * d * d + 1
                            : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  }
};

// The sum over the taps of dimensions d, d + 1, ... "at" and "weight" hold the dimensions before d.
Expr sampled(const Sampling& s, const Tensor& x, const std::vector<Expr>& places, std::size_t d,
             const Indices& at, const Expr& is_inside, const Expr& weight) {
  if (d == places.size()) {
    const Expr value = x(at);
    const Expr seen = is_inside.defined() ? select(is_inside, value, typed(x.type(), 0)) : value;
    return seen * cast(x.type(), weight);
  }
  const Expr& extent = x.shape(int(d) + 2);
  Expr sum;
  for (int k = 0; k < s.taps(); ++k) {
    const Expr i = s.first(places[d]) + k;
    const Expr stays = s.padding == "zeros" ? both(i >= 0, i < extent) : Expr();
    const Expr own = s.weight(places[d], k);
    const Expr part = sampled(s, x, places, d + 1, at.appended({s.inside(i, extent)}),
                              stays.defined() ? both(is_inside, stays) : is_inside,
                              weight.defined() ? weight * own : own);
    sum = sum.defined() ? sum + part : part;
  }
  return sum;
}

Values grid_sample(Node& n) {
  Sampling s{n.text("mode", n.version() < 20 ? "bilinear" : "linear"),
             n.text("padding_mode", "zeros"), n.flag("align_corners", false)};
  if (s.mode == "bilinear") s.mode = "linear";
  if (s.mode == "bicubic") s.mode = "cubic";
  const int rank = n.rank(n.in(0)) - 2;
  if (s.taps() == 4 && s.mode != "cubic") throw n.refused("mode is \"" + s.mode + "\"");
  if (s.padding != "zeros" && s.padding != "border" && s.padding != "reflection")
    throw n.refused("padding_mode is \"" + s.padding + "\"");
  if (rank < 1 || rank > 3 || n.rank(n.in(1)) != rank + 2 ||
      constant_dim(n.dims(n.in(1)).at(-1)) != rank)
    throw n.refused("the grid does not fit the operand");
  const auto sample = [&](const Tensor& x, const Tensor& grid) {
    Shape shape = x.shape().first(2);
    for (int d = 0; d < rank; ++d) shape.push_back(grid.shape(d + 1));
    return compute(
        shape,
        [&](const Indices& i) {
          std::vector<Expr> places;
          for (int d = 0; d < rank; ++d) {
            const Indices at = i.without(1).appended({Expr(std::int64_t(rank - 1 - d))});
            places.push_back(s.place(grid(at), x.shape(d + 2)));
          }
          return sampled(s, x, places, 0, i.first(2), Expr(), Expr());
        },
        "grid_sample", n.emitter().where());
  };
  return {n.emitter().emit_te("grid_sample", sample, n.in(0), n.in(1))};
}

// theta (b, d, d + 1) times the places of an image: grid (b, out.., d), the last dimension first.
Values affine_grid(Node& n) {
  const Shape size = n.sizes(1);
  const int rank = size.rank() - 2;
  const bool aligned = n.flag("align_corners", false);
  if (rank < 1 || n.rank(n.in(0)) != 3 || constant_dim(n.dims(n.in(0))[1]) != rank)
    throw n.refused("the size does not fit the operand");
  const auto grid = [&](const Tensor& theta) {
    const Type type = theta.type();
    const auto place = [&](const Expr& i, const Expr& extent) {
      const Expr at = cast(type, i), length = cast(type, extent);
      return aligned ? 2 * at / (length - 1) - 1 : (2 * at + 1) / length - 1;
    };
    return compute(
        Shape{size[0]}.appended(size.from(2)).appended({Expr(std::int64_t(rank))}),
        [&](const Indices& i) {
          Expr sum = theta(i[0], i.last(), Expr(std::int64_t(rank)));
          for (int d = 0; d < rank; ++d)
            sum = sum + theta(i[0], i.last(), Expr(std::int64_t(rank - 1 - d))) *
                            place(i[d + 1], size[d + 2]);
          return sum;
        },
        "affine_grid", n.emitter().where());
  };
  return {n.emitter().emit_te("affine_grid", grid, n.in(0))};
}

// x (b, c blocks, windows): each element of the image is the sum of the elements that windows have
// there.
Values col2im(Node& n) {
  const Value x = n.in(0);
  const Shape image = n.sizes(1), block = n.sizes(2);
  const int rank = image.rank();
  const WindowOf w = window_of(n, rank, block, image);
  Expr blocks = std::int64_t{1};
  Shape windows;
  for (int d = 0; d < rank; ++d) {
    const auto k = std::size_t(d);
    blocks = normal(blocks * block[d]);
    const Expr reach = w.dilation[k] * (block[d] - 1) + 1;
    windows.push_back(normal((image[d] + w.before[k] + w.after[k] - reach) / w.strides[k] + 1));
  }
  const Shape dims = n.dims(x);
  if (dims.rank() != 3) throw n.refused("the operand has another rank than 3");
  const Expr channels = normal(dims[1] / blocks);
  const auto sums = [&](const Tensor& t) {
    const std::vector<Axis> k = axes_of(w);
    return compute(
        Shape{dims[0], channels}.appended(image),
        [&](const Indices& i) {
          Expr counts, row = i[1], column = constant(i64, 0);
          for (int d = 0; d < rank; ++d) {
            const auto a = std::size_t(d);
            const Expr offset = i[d + 2] + w.before[a] - k[a] * w.dilation[a];
            const Expr place = offset / w.strides[a];
            counts = both(counts,
                          both(offset % w.strides[a] == 0, both(place >= 0, place < windows[d])));
            row = row * block[d] + k[a];
            column = column * windows[d] + place;
          }
          const std::vector<Var> over(k.begin(), k.end());
          return strata::sum(over, select(counts, t(i[0], row, column), typed(t.type(), 0)));
        },
        "col2im", n.emitter().where());
  };
  return {n.emitter().emit_te("col2im", sums, x)};
}

constexpr Row sampling_table[] = {
    {"AffineGrid", affine_grid, 20},
    {"Col2Im", col2im, 18},
    {"GridSample", grid_sample, 16},
};

}  // namespace

std::span<const Row> sampling_rows() { return sampling_table; }

}  // namespace strata::graph::onnx
