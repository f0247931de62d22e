// Convolutions and pools, in any number of dimensions.
#include <fmt/format.h>

#include "core/floor_quotient.h"
#include "graph/onnx/window.h"
#include "graph/ops/writer.h"

namespace strata::graph::onnx {

namespace {

Values conv(Node& n) {
  const Value x = n.in(0), w = n.in(1);
  const WindowOf window = window_of(n, n.rank(x) - 2, n.dims(w).from(2), n.dims(x).from(2));
  const Value y = convolved(n, x, w, window, n.integer("group", 1));
  return {n.has(2) ? n("bias_add", {y, n.in(2)}, AxisAttributes{1}) : y};
}

// ---- transposed ----

// The paddings for which the result has the extent that the attribute wants.
void fit_output(Node& n, WindowOf& w, const Shape& dims, const Integers& extra) {
  const Integers wanted = n.integers("output_shape");
  const std::string automatic = n.text("auto_pad", "NOTSET");
  for (std::size_t d = 0; d < w.strides.size(); ++d) {
    if (wanted.empty() && automatic.rfind("SAME", 0) != 0) continue;
    const auto extent = constant_dim(dims[int(d)]), size = constant_dim(w.size[int(d)]);
    if (!extent || !size) throw n.unsupported("an extent is not a number");
    const std::int64_t target =
        wanted.empty() ? *extent * w.strides[d] : wanted.at(wanted.size() - w.strides.size() + d);
    const std::int64_t total =
        w.strides[d] * (*extent - 1) + extra[d] + (*size - 1) * w.dilation[d] + 1 - target;
    const std::int64_t half = floor_quotient<std::int64_t>(total, 2);
    w.before[d] = automatic == "SAME_UPPER" ? half : total - half;
    w.after[d] = total - w.before[d];
  }
}

// Window k of x(.., i) adds to y(.., i s + k d - before): y(.., j) is the sum over those k for
// which s divides j + before - k d.
Value transposed(Node& n, const Value& x, const Value& w, const WindowOf& v, const Integers& extra,
                 std::int64_t groups) {
  const Shape dims = n.dims(x), kernel = n.dims(w);
  const int rank = int(v.strides.size());
  const Expr outputs = kernel[1], inputs = normal(dims[1] / groups);
  Shape shape{dims[0], normal(outputs * groups)};
  for (int d = 0; d < rank; ++d) {
    const auto k = std::size_t(d);
    shape.push_back(normal((dims[d + 2] - 1) * v.strides[k] + extra[k] +
                           (v.size[d] - 1) * v.dilation[k] + 1 - v.before[k] - v.after[k]));
  }
  const auto conv = [&](const Tensor& t, const Tensor& weight) {
    const Axis c = reduce_axis(inputs, "c");
    std::vector<Axis> over{c};
    for (int d = 0; d < rank; ++d) over.push_back(reduce_axis(v.size[d], fmt::format("k{}", d)));
    return compute(
        shape,
        [&](const Indices& i) {
          const Expr channel = groups == 1 ? Expr(c) : i[1] / outputs * inputs + c;
          Expr adds;
          Indices from{i[0], channel}, at{channel, groups == 1 ? i[1] : i[1] % outputs};
          for (int d = 0; d < rank; ++d) {
            const auto k = std::size_t(d);
            const Expr offset = i[d + 2] + v.before[k] - over[k + 1] * v.dilation[k];
            const Expr place = offset / v.strides[k];
            adds = both(adds,
                        both(offset % v.strides[k] == 0, both(place >= 0, place < t.shape(d + 2))));
            from.push_back(place);
            at.push_back(over[k + 1]);
          }
          return strata::sum(over, select(adds, t(from) * weight(at), typed(t.type(), 0)));
        },
        "conv_transpose", n.emitter().where());
  };
  return n.emitter().emit_te("conv_transpose", conv, x, w);
}

Values conv_transpose(Node& n) {
  const Value x = n.in(0), w = n.in(1);
  const int rank = n.rank(x) - 2;
  WindowOf window = window_of(n, rank, n.dims(w).from(2), n.dims(x).from(2));
  const Integers extra = n.integers("output_padding", Integers(std::size_t(rank), 0));
  if (int(extra.size()) != rank) throw n.refused("output_padding does not fit");
  fit_output(n, window, n.dims(x).from(2), extra);
  const Value y = transposed(n, x, w, window, extra, n.integer("group", 1));
  return {n.has(2) ? n("bias_add", {y, n.in(2)}, AxisAttributes{1}) : y};
}

// ---- pools ----

// The library's operator, if it fits.
std::optional<Value> pooled_2d(Node& n, const char* op, const WindowOf& w) {
  const bool is_dense = w.dilation == Integers(w.dilation.size(), 1);
  if (n.rank(n.in(0)) != 4 || !is_dense) return std::nullopt;
  PoolAttributes pool;
  for (const Expr& size : w.size) pool.window.push_back(constant_dim(size).value_or(0));
  pool.strides = w.strides;
  pool.padding = w.before;
  pool.padding.insert(pool.padding.end(), w.after.begin(), w.after.end());
  for (const std::int64_t width : pool.padding)
    if (width < 0) return std::nullopt;
  pool.ceil_mode = n.flag("ceil_mode", false);
  pool.count_include_pad = n.flag("count_include_pad", false);
  return n(op, {n.in(0)}, pool);
}

WindowOf pool_window(Node& n) {
  const Integers kernel = n.integers("kernel_shape");
  const int rank = n.rank(n.in(0)) - 2;
  return window_of(n, rank, Shape(kernel.begin(), kernel.end()), n.dims(n.in(0)).from(2));
}

// The places of the largest elements in all of x, counted row by row or column by column.
Value places_of_largest(Node& n, const WindowOf& w) {
  const Shape dims = n.dims(n.in(0)), shape = pooled_shape(n, w);
  const int rank = int(w.strides.size());
  const bool by_column = n.flag("storage_order", false);
  const auto places = [&](const Tensor& t) {
    const std::vector<Axis> k = axes_of(w);
    const std::vector<Tensor> best = compute(
        shape,
        [&](const Indices& i) {
          const WindowElement e = element_at(t, w, i, k);
          return strata::argmax(
              k, select(e.is_inside, e.value, identity_of(Reduction::maximum, t.type())));
        },
        "largest", n.emitter().where());
    return compute(
        shape,
        [&](const Indices& i) {
          Expr outer = i[0] * dims[1] + i[1], inner = strata::constant(i64, 0);
          for (int d = 0; d < rank; ++d) outer = outer * dims[d + 2];
          for (int d = 0; d < rank; ++d) {
            const int axis = by_column ? rank - 1 - d : d;
            const Expr offset = best[std::size_t(axis) + 1](i);
            inner = inner * dims[axis + 2] + w.place(i[axis + 2], offset, std::size_t(axis));
          }
          return outer + inner;
        },
        "places", n.emitter().where());
  };
  return n.emitter().emit_te("max_pool_places", places, n.in(0));
}

Values max_pool(Node& n) {
  const WindowOf w = pool_window(n);
  Values results;
  if (const auto pooled = pooled_2d(n, "max_pool2d", w)) {
    results.push_back(*pooled);
  } else {
    const auto pool = [&](const Tensor& t) {
      const std::vector<Axis> k = axes_of(w);
      return compute(
          pooled_shape(n, w),
          [&](const Indices& i) {
            const WindowElement e = element_at(t, w, i, k);
            return strata::maximum(
                k, select(e.is_inside, e.value, identity_of(Reduction::maximum, t.type())));
          },
          "max_pool", n.emitter().where());
    };
    results.push_back(n.emitter().emit_te("max_pool", pool, n.in(0)));
  }
  if (n.wants(1)) results.push_back(places_of_largest(n, w));
  return results;
}

// Sums of f over the windows.
Value window_sums(Node& n, const WindowOf& w, const std::function<Expr(Expr)>& f) {
  const auto sums = [&](const Tensor& t) {
    const std::vector<Axis> k = axes_of(w);
    return compute(
        pooled_shape(n, w),
        [&](const Indices& i) {
          const WindowElement e = element_at(t, w, i, k);
          return strata::sum(k, select(e.is_inside, f(e.value), typed(t.type(), 0)));
        },
        "window_sums", n.emitter().where());
  };
  return n.emitter().emit_te("window_sums", sums, n.in(0));
}

// The number of places of each window that count: those in x, or also those in the padding.
Value window_counts(Node& n, const WindowOf& w, bool with_padding) {
  const Type type = n.type(n.in(0));
  const Shape dims = n.dims(n.in(0));
  Shape shape = pooled_shape(n, w);
  shape[0] = shape[1] = std::int64_t{1};
  const auto count = [&](const Tensor&) {
    const std::vector<Axis> k = axes_of(w);
    return compute(
        shape,
        [&](const Indices& i) {
          Expr counts;
          for (std::size_t d = 0; d < k.size(); ++d) {
            const Expr at = w.place(i[int(d) + 2], k[d], d), extent = dims[int(d) + 2];
            counts = both(counts, with_padding ? both(at >= -w.before[d], at < extent + w.after[d])
                                               : both(at >= 0, at < extent));
          }
          return strata::sum(k, select(counts, typed(type, 1), typed(type, 0)));
        },
        "window_counts", n.emitter().where());
  };
  return n.emitter().emit_te("window_counts", count, n.in(0));
}

Values average_pool(Node& n) {
  const WindowOf w = pool_window(n);
  if (const auto pooled = pooled_2d(n, "avg_pool2d", w)) return {*pooled};
  const Value sums = window_sums(n, w, [](const Expr& v) { return v; });
  return {n("divide", {sums, window_counts(n, w, n.flag("count_include_pad", false))})};
}

// (sum |x|^p)^(1 / p)
Values lp_pool(Node& n) {
  const std::int64_t p = n.integer("p", 2);
  if (p < 1 || p > 64) throw n.refused(fmt::format("p is {}", p));
  const Value sums = window_sums(n, pool_window(n), [&](const Expr& v) {
    Expr power = abs(v);
    for (std::int64_t k = 1; k < p; ++k) power = power * abs(v);
    return power;
  });
  return {n("power", {sums, n.scalar(n.type(sums), 1 / double(p))})};
}

Values global_pool(Node& n, const char* op) {
  Integers axes;
  for (int d = 2; d < n.rank(n.in(0)); ++d) axes.push_back(d);
  if (axes.empty()) return {n.in(0)};
  return {n(op, {n.in(0)}, ReduceAttributes{axes, true})};
}

Values global_lp_pool(Node& n) {
  const std::int64_t p = n.integer("p", 2);
  if (p == 1 || p == 2) return global_pool(n, p == 1 ? "l1_norm" : "l2_norm");
  throw n.unsupported(fmt::format("p is {}, neither 1 nor 2", p));
}

// The values at their places, and 0 elsewhere.
Values max_unpool(Node& n) {
  const Value x = n.in(0), places = n.in(1);
  const Shape dims = n.dims(x);
  Shape shape = dims;
  if (n.has(2)) {
    shape = n.sizes(2);
  } else {
    const WindowOf w = pool_window(n);
    for (int d = 0; d < int(w.strides.size()); ++d) {
      const auto k = std::size_t(d);
      shape[d + 2] =
          normal((dims[d + 2] - 1) * w.strides[k] - w.before[k] - w.after[k] + w.size[d]);
    }
  }
  if (shape.rank() != dims.rank()) throw n.refused("output_shape has another rank");
  const auto unpool = [&](const Tensor& t, const Tensor& at) {
    std::vector<Axis> k;
    Indices from;
    for (int d = 0; d < t.rank(); ++d) {
      k.push_back(reduce_axis(t.shape(d), fmt::format("k{}", d)));
      from.push_back(k.back());
    }
    return compute(
        shape,
        [&](const Indices& i) {
          Expr place = strata::constant(i64, 0);
          for (int d = 0; d < i.rank(); ++d) place = place * shape[d] + i[d];
          return strata::sum(k, select(at(from) == place, t(from), typed(t.type(), 0)));
        },
        "max_unpool", n.emitter().where());
  };
  return {n.emitter().emit_te("max_unpool", unpool, x, n.cast(places, i64))};
}

constexpr Row window_table[] = {
    {"AveragePool", average_pool},
    {"Conv", conv},
    {"ConvTranspose", conv_transpose},
    {"GlobalAveragePool", [](Node& n) { return global_pool(n, "mean"); }},
    {"GlobalLpPool", global_lp_pool},
    {"GlobalMaxPool", [](Node& n) { return global_pool(n, "max"); }},
    {"LpPool", lp_pool},
    {"MaxPool", max_pool},
    {"MaxUnpool", max_unpool},
};

}  // namespace

std::span<const Row> window_rows() { return window_table; }

}  // namespace strata::graph::onnx
