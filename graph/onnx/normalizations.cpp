// Normalizations.
#include <cmath>

#include "graph/onnx/rows.h"
#include "graph/ops/writer.h"

namespace strata::graph::onnx {

namespace {

Integers axes_from(std::int64_t first, int rank) {
  Integers axes;
  for (std::int64_t d = first; d < rank; ++d) axes.push_back(d);
  return axes;
}

// Applies f over the axis. Before version 13, all dimensions from the axis on count as one.
Values over_axis(Node& n, Value (*f)(Node&, const Value&, std::int64_t)) {
  const Value x = n.in(0);
  if (n.version() >= 13) return {f(n, x, n.axis(n.integer("axis", -1), n.rank(x)))};
  const int axis = n.border(n.integer("axis", 1), n.rank(x));
  Expr outer = std::int64_t{1}, inner = std::int64_t{1};
  for (int d = 0; d < n.rank(x); ++d) {
    Expr& part = d < axis ? outer : inner;
    part = part * n.dims(x)[d];
  }
  return {n.reshape(f(n, n.reshape(x, {normal(outer), normal(inner)}), 1), n.dims(x))};
}

Value softmax(Node& n, const Value& x, std::int64_t axis) {
  return n("softmax", {x}, LastAxisAttributes{axis});
}
Value log_softmax(Node& n, const Value& x, std::int64_t axis) {
  return n("log_softmax", {x}, LastAxisAttributes{axis});
}
// 1 at the first largest element, else 0.
Value hardmax(Node& n, const Value& x, std::int64_t axis) {
  const Value place = n("argmax", {x}, ArgAttributes{axis, true});
  Shape alone(std::size_t(n.rank(x)), Expr(std::int64_t{1}));
  alone[int(axis)] = n.dims(x)[int(axis)];
  const Value places =
      n.reshape(n("range", {}, RangeAttributes{{alone[int(axis)]}, 0, 1, i64}), alone);
  return n.cast(n("equal", {place, places}), n.type(x));
}

Value mean_over(Node& n, const Value& x, const Integers& axes) {
  return n("mean", {x}, ReduceAttributes{axes, true});
}

// x - mean, 1 / sqrt(variance + epsilon), and the mean.
struct Standard {
  Value centered, scale, mean;
};
Standard standard_of(Node& n, const Value& x, const Integers& axes, double epsilon) {
  Standard s;
  s.mean = mean_over(n, x, axes);
  s.centered = n("subtract", {x, s.mean});
  const Value variance = mean_over(n, n("multiply", {s.centered, s.centered}), axes);
  s.scale = n("rsqrt", {n("add", {variance, n.scalar(n.type(x), epsilon)})});
  return s;
}

// (c) as (1, c, 1, ..): at the axis of x.
Value at_channels(Node& n, const Value& v, const Value& x) {
  const int behind = n.rank(x) - 2;
  return behind > 0 ? n("expand_dims", {v}, NewAxesAttributes{1, behind}) : v;
}

// x scale + bias, where the bias may be left out.
Value scaled(Node& n, const Value& x, const Value& scale, const Value& bias) {
  const Value product = n("multiply", {x, scale});
  return bias.defined() ? n("add", {product, bias}) : product;
}

// Training: normalizes by the mean and variance of the batch, and mixes these into the running
// ones.
Values trained_batch_norm(Node& n) {
  const Value x = n.in(0);
  Integers axes = axes_from(2, n.rank(x));
  axes.insert(axes.begin(), 0);
  const Standard s = standard_of(n, x, axes, n.real("epsilon", 1e-5));
  const Value y = scaled(n, n("multiply", {s.centered, s.scale}), at_channels(n, n.in(1), x),
                         at_channels(n, n.in(2), x));
  const double momentum = n.real("momentum", 0.9);
  const auto mixed = [&](const Value& running, const Value& current) {
    const Value now = n("squeeze", {current}, AxesAttributes{axes});
    return n("add", {n("multiply", {running, n.scalar(n.type(running), momentum)}),
                     n("multiply",
                       {n.cast(now, n.type(running)), n.scalar(n.type(running), 1 - momentum)})});
  };
  const Value variance = mean_over(n, n("multiply", {s.centered, s.centered}), axes);
  return {y, mixed(n.in(3), s.mean), mixed(n.in(4), variance)};
}

Values batch_norm(Node& n) {
  const Value x = n.in(0);
  if (n.flag("training_mode", false)) return trained_batch_norm(n);
  if (!n.flag("spatial", true)) throw n.unsupported("spatial is 0");
  Values operands{x};
  for (int k = 1; k < 5; ++k) operands.push_back(n.cast(n.in(k), n.type(x)));
  return {n("batch_norm", operands, BatchNormAttributes{1, n.real("epsilon", 1e-5)})};
}

Values instance_norm(Node& n) {
  const Value x = n.in(0);
  const Standard s = standard_of(n, x, axes_from(2, n.rank(x)), n.real("epsilon", 1e-5));
  return {scaled(n, n("multiply", {s.centered, s.scale}), at_channels(n, n.in(1), x),
                 at_channels(n, n.in(2), x))};
}

// Computes in float32, whatever the type of x, if stash_type says so.
Values layer_norm(Node& n) {
  const Value x = n.in(0);
  const Type type = n.type(x);
  const Type wide = n.integer("stash_type", 1) == 1 && is_half(type) ? f32 : type;
  const Integers axes = axes_from(n.axis(n.integer("axis", -1), n.rank(x)), n.rank(x));
  const double epsilon = n.real("epsilon", 1e-5);
  const bool fits =
      n.has(2) && n.rank(n.in(1)) == int(axes.size()) && n.rank(n.in(2)) == int(axes.size());
  if (wide == type && n.outputs() == 1 && fits)
    return {n("layer_norm", {x, n.in(1), n.in(2)}, NormAttributes{axes, epsilon})};
  const Standard s = standard_of(n, n.cast(x, wide), axes, epsilon);
  const Value y = n.cast(n("multiply", {s.centered, s.scale}), type);
  return {scaled(n, y, n.in(1), n.has(2) ? n.in(2) : Value()), s.mean, s.scale};
}

Values rms_norm(Node& n) {
  const Value x = n.in(0);
  const Type type = n.type(x);
  const Type wide = n.integer("stash_type", 1) == 1 && is_half(type) ? f32 : type;
  const Integers axes = axes_from(n.axis(n.integer("axis", -1), n.rank(x)), n.rank(x));
  const Value given = n.cast(x, wide);
  const Value squares = mean_over(n, n("multiply", {given, given}), axes);
  const Value scale = n("rsqrt", {n("add", {squares, n.scalar(wide, n.real("epsilon", 1e-5))})});
  return {n("multiply", {n.cast(n("multiply", {given, scale}), type), n.in(1)})};
}

// Normalizes groups of channels. Before version 21 there is one scale per group.
Values group_norm(Node& n) {
  const Value x = n.in(0);
  const std::int64_t groups = n.integer("num_groups");
  const Shape dims = n.dims(x);
  if (dims.rank() < 2 || groups < 1) throw n.refused("there are no groups of channels");
  const Type type = n.type(x);
  const Type wide = n.integer("stash_type", 1) == 1 && is_half(type) ? f32 : type;
  const Shape grouped = Shape{dims[0], groups, normal(dims[1] / groups)}.appended(dims.from(2));
  const Value given = n.reshape(n.cast(x, wide), grouped);
  const Standard s = standard_of(n, given, axes_from(2, grouped.rank()), n.real("epsilon", 1e-5));
  const Value y = n.cast(n("multiply", {s.centered, s.scale}), type);
  if (n.version() < 21)
    return {n.reshape(scaled(n, y, at_channels(n, n.in(1), y), at_channels(n, n.in(2), y)), dims)};
  return {scaled(n, n.reshape(y, dims), at_channels(n, n.in(1), x), at_channels(n, n.in(2), x))};
}

Values lp_norm(Node& n) {
  const Value x = n.in(0);
  const std::int64_t p = n.integer("p", 2);
  if (p != 1 && p != 2) throw n.refused("p is neither 1 nor 2");
  const ReduceAttributes over{{n.axis(n.integer("axis", -1), n.rank(x))}, true};
  const Value norm = n(p == 1 ? "l1_norm" : "l2_norm", {x}, over);
  const Value zero = n.scalar(n.type(x), 0);
  const Value divisor = n("where", {n("equal", {norm, zero}), n.scalar(n.type(x), 1), norm});
  return {n("divide", {x, divisor})};
}

// (x - mean) / (standard deviation + 1e-9)
Values mean_variance_norm(Node& n) {
  const Value x = n.in(0);
  const Integers axes = n.integers("axes", {0, 2, 3});
  const Value centered = n("subtract", {x, mean_over(n, x, axes)});
  const Value deviation = n("sqrt", {mean_over(n, n("multiply", {centered, centered}), axes)});
  return {n("divide", {centered, n("add", {deviation, n.scalar(n.type(x), 1e-9)})})};
}

// x / (bias + alpha / size sum of the squares of "size" channels around)^beta
Values local_response_norm(Node& n) {
  const Value x = n.in(0);
  const std::int64_t size = n.integer("size");
  if (size < 1 || size > 1 << 20) throw n.refused("size is " + std::to_string(size));
  const auto sums = [&](const Tensor& t) {
    const Axis k = reduce_axis(size, "k");
    return compute(
        t.shape(),
        [&](const Indices& i) {
          const Expr c = i[1] + k - (size - 1) / 2;
          const Expr v = t(i.with(1, c));
          const Expr zero = typed(t.type(), 0);
          return strata::sum(k, select(both(c >= 0, c < t.shape(1)), v * v, zero));
        },
        "sums_of_squares", n.emitter().where());
  };
  const Type type = n.type(x);
  const Value total = n.emitter().emit_te("sums_of_squares", sums, x);
  const Value inner = scaled(n, total, n.scalar(type, n.real("alpha", 1e-4) / double(size)),
                             n.scalar(type, n.real("bias", 1)));
  return {n("divide", {x, n("power", {inner, n.scalar(type, n.real("beta", 0.75))})})};
}

constexpr Row normalization_table[] = {
    {"BatchNormalization", batch_norm},
    {"GroupNormalization", group_norm},
    {"Hardmax", [](Node& n) { return over_axis(n, hardmax); }},
    {"InstanceNormalization", instance_norm},
    {"LRN", local_response_norm},
    {"LayerNormalization", layer_norm},
    {"LogSoftmax", [](Node& n) { return over_axis(n, log_softmax); }},
    {"LpNormalization", lp_norm},
    {"MeanVarianceNormalization", mean_variance_norm},
    {"RMSNormalization", rms_norm},
    {"Softmax", [](Node& n) { return over_axis(n, softmax); }},
};

}  // namespace

std::span<const Row> normalization_rows() { return normalization_table; }

}  // namespace strata::graph::onnx
