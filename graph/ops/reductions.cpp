// Reductions over axes, and normalizations.
#include <limits>

#include "graph/ops/ops.h"
#include "graph/ops/registry.h"
#include "graph/ops/writer.h"

namespace strata::graph {

namespace {

// The axes over which x is reduced.
class Reduced {
 public:
  Reduced(const Writer& op, const Tensor& x, const Integers& axes, bool keepdims)
      : x_(x), keepdims_(keepdims), is_reduced_(x.rank(), false) {
    for (const int axis : op.axes(axes, x.rank())) {
      is_reduced_[axis] = true;
      over_.push_back(reduce_axis(x.shape(axis), "k" + std::to_string(axis)));
    }
  }

  const std::vector<Axis>& over() const { return over_; }

  Shape shape() const {
    Shape shape;
    for (int d = 0; d < x_.rank(); ++d) {
      if (!is_reduced_[d])
        shape.push_back(x_.shape(d));
      else if (keepdims_)
        shape.push_back(1);
    }
    return shape;
  }

  // The element of x at the result's indices and the reduced ones.
  Expr element(const Indices& i) const {
    Indices indices;
    for (int d = 0, next = 0, k = 0; d < x_.rank(); ++d) {
      indices.push_back(is_reduced_[d] ? Expr(over_[k++]) : i[next]);
      next += !is_reduced_[d] || keepdims_ ? 1 : 0;
    }
    return x_(indices);
  }

  // The indices of the result that an element of x belongs to, with keepdims.
  Indices result_of(const Indices& i) const {
    Indices indices = i;
    for (int d = 0; d < x_.rank(); ++d)
      if (is_reduced_[d]) indices[d] = constant(i64, 0);
    return indices;
  }

  // The number of elements in each result.
  Expr count() const {
    Shape extents;
    for (const Axis& k : over_) extents.push_back(k.upper());
    return product_of(extents);
  }

 private:
  Tensor x_;
  bool keepdims_;
  std::vector<bool> is_reduced_;
  std::vector<Axis> over_;
};

// sum(over, ..), or the expression itself where nothing is reduced.
using Reducing = Expr (*)(std::vector<Var>, Expr);

Tensor reduced(const Writer& op, const Tensor& x, const Integers& axes, bool keepdims,
               Reducing reducing, const std::function<Expr(Expr)>& value = nullptr,
               const std::string& part = "") {
  const Reduced r(op, x, axes, keepdims);
  return op.compute(
      r.shape(),
      [&](const Indices& i) {
        const Expr e = value ? value(r.element(i)) : r.element(i);
        return r.over().empty() ? e : reducing(r.over(), e);
      },
      part);
}

Expr divided(const Expr& total, const Expr& count) {
  return total / strata::cast(total.type(), count);
}

Tensor elementwise(const Writer& op, const Tensor& x, const std::function<Expr(Expr)>& f) {
  return op.compute(x.shape(), [&](const Indices& i) { return f(x(i)); });
}

Tensor mean_of(const Writer& op, const Tensor& x, const Integers& axes, bool keepdims,
               const std::function<Expr(Expr)>& value = nullptr, const std::string& part = "") {
  const Tensor total = reduced(op, x, axes, keepdims, strata::sum, value, part + "sum");
  const Expr count = Reduced(op, x, axes, keepdims).count();
  return op.compute(
      total.shape(), [&](const Indices& i) { return divided(total(i), count); }, part);
}

}  // namespace

Tensor sum(const Tensor& x, const ReduceAttributes& a, const Where& where) {
  return reduced(Writer("sum", where), x, a.axes, a.keepdims, strata::sum);
}
Tensor prod(const Tensor& x, const ReduceAttributes& a, const Where& where) {
  return reduced(Writer("prod", where), x, a.axes, a.keepdims, strata::product);
}
Tensor max(const Tensor& x, const ReduceAttributes& a, const Where& where) {
  return reduced(Writer("max", where), x, a.axes, a.keepdims, strata::maximum);
}
Tensor min(const Tensor& x, const ReduceAttributes& a, const Where& where) {
  return reduced(Writer("min", where), x, a.axes, a.keepdims, strata::minimum);
}
Tensor any(const Tensor& x, const ReduceAttributes& a, const Where& where) {
  return reduced(Writer("any", where), x, a.axes, a.keepdims, strata::any);
}
Tensor all(const Tensor& x, const ReduceAttributes& a, const Where& where) {
  return reduced(Writer("all", where), x, a.axes, a.keepdims, strata::all);
}
Tensor mean(const Tensor& x, const ReduceAttributes& a, const Where& where) {
  return mean_of(Writer("mean", where), x, a.axes, a.keepdims);
}
Tensor l1_norm(const Tensor& x, const ReduceAttributes& a, const Where& where) {
  return reduced(Writer("l1_norm", where), x, a.axes, a.keepdims, strata::sum,
                 [](const Expr& v) { return strata::abs(v); });
}
Tensor l2_norm(const Tensor& x, const ReduceAttributes& a, const Where& where) {
  const Writer op("l2_norm", where);
  const Tensor squares =
      reduced(op, x, a.axes, a.keepdims, strata::sum, [](const Expr& v) { return v * v; }, "sum");
  return elementwise(op, squares, [](const Expr& v) { return strata::sqrt(v); });
}

// m + log sum exp(x - m), m the maximum, or 0 where that is infinite.
Tensor logsumexp(const Tensor& x, const ReduceAttributes& a, const Where& where) {
  const Writer op("logsumexp", where);
  const Reduced kept(op, x, a.axes, true);
  const Tensor largest = reduced(op, x, a.axes, true, strata::maximum, nullptr, "max");
  const Tensor m = op.compute(
      largest.shape(),
      [&](const Indices& i) {
        const Expr v = largest(i);
        return select(strata::abs(v) == std::numeric_limits<double>::infinity(), 0.0, v);
      },
      "shift");
  const Tensor powers = op.compute(
      x.shape(), [&](const Indices& i) { return strata::exp(x(i) - m(kept.result_of(i))); }, "exp");
  const Tensor total = reduced(op, powers, a.axes, true, strata::sum, nullptr, "sum");
  const Tensor result =
      op.compute(total.shape(), [&](const Indices& i) { return m(i) + strata::log(total(i)); });
  if (a.keepdims) return result;
  const std::vector<int> axes = op.axes(a.axes, x.rank());
  return squeeze(result, {Integers(axes.begin(), axes.end())}, where);
}

namespace {

Tensor extreme_position(const char* name, const Tensor& x, const ArgAttributes& a,
                        const Where& where, Tuple (*extreme)(std::vector<Var>, Expr)) {
  const Writer op(name, where);
  const Reduced r(op, x, {op.axis(a.axis, x.rank())}, a.keepdims);
  return op.compute(r.shape(),
                    [&](const Indices& i) { return extreme(r.over(), r.element(i)); })[1];
}

}  // namespace

Tensor argmax(const Tensor& x, const ArgAttributes& a, const Where& where) {
  return extreme_position("argmax", x, a, where, strata::argmax);
}
Tensor argmin(const Tensor& x, const ArgAttributes& a, const Where& where) {
  return extreme_position("argmin", x, a, where, strata::argmin);
}

Tensor cumsum(const Tensor& x, const CumsumAttributes& a, const Where& where) {
  const Writer op("cumsum", where);
  const int axis = op.axis(a.axis, x.rank());
  // The same place, counted from where sums begin.
  const auto from_begin = [&](const Indices& i) {
    return a.reverse ? i.with(axis, x.shape(axis) - 1 - i[axis]) : i;
  };
  const Tensor running = op.compute(
      x.shape(),
      [&](const Indices& i) {
        const Axis k = reduce_axis(a.exclusive ? i[axis] : i[axis] + 1, "k");
        return strata::sum(k, x(from_begin(i.with(axis, k))));
      },
      a.reverse ? "running" : "");
  if (!a.reverse) return running;
  return op.compute(x.shape(), [&](const Indices& i) { return running(from_begin(i)); });
}

namespace {

// The parts of a softmax: exp(x - maximum), and its sums.
struct Softmax {
  Tensor shifted, powers, total;
};

Softmax softmax_of(const Writer& op, const Tensor& x, int axis) {
  const Reduced r(op, x, {axis}, true);
  const Tensor largest = reduced(op, x, {axis}, true, strata::maximum, nullptr, "max");
  Softmax s;
  s.shifted = op.compute(
      x.shape(), [&](const Indices& i) { return x(i) - largest(r.result_of(i)); }, "shift");
  s.powers =
      op.compute(x.shape(), [&](const Indices& i) { return strata::exp(s.shifted(i)); }, "exp");
  s.total = reduced(op, s.powers, {axis}, true, strata::sum, nullptr, "sum");
  return s;
}

}  // namespace

Tensor softmax(const Tensor& x, const LastAxisAttributes& a, const Where& where) {
  const Writer op("softmax", where);
  const int axis = op.axis(a.axis, x.rank());
  const Softmax s = softmax_of(op, x, axis);
  return op.compute(x.shape(), [&](const Indices& i) {
    return s.powers(i) / s.total(i.with(axis, std::int64_t{0}));
  });
}

Tensor log_softmax(const Tensor& x, const LastAxisAttributes& a, const Where& where) {
  const Writer op("log_softmax", where);
  const int axis = op.axis(a.axis, x.rank());
  const Softmax s = softmax_of(op, x, axis);
  return op.compute(x.shape(), [&](const Indices& i) {
    return s.shifted(i) - strata::log(s.total(i.with(axis, std::int64_t{0})));
  });
}

namespace {

// 1 / sqrt(mean of (x - center)^2 + epsilon), with keepdims.
Tensor scale_of(const Writer& op, const Tensor& x, const Integers& axes, double epsilon) {
  const Tensor mean = mean_of(op, x, axes, true, [](const Expr& v) { return v * v; }, "square");
  return op.compute(
      mean.shape(), [&](const Indices& i) { return 1 / strata::sqrt(mean(i) + epsilon); }, "scale");
}

Tensor centered(const Writer& op, const Tensor& x, const Integers& axes) {
  const Reduced r(op, x, axes, true);
  const Tensor mean = mean_of(op, x, axes, true, nullptr, "mean");
  return op.compute(
      x.shape(), [&](const Indices& i) { return x(i) - mean(r.result_of(i)); }, "centered");
}

// The indices on the axes; "t" has their extents.
Indices on_axes(const Indices& i, const std::vector<int>& axes) {
  Indices indices;
  for (const int axis : axes) indices.push_back(i[axis]);
  return indices;
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, const NormAttributes& a,
                  const Where& where) {
  const Writer op("layer_norm", where);
  const std::vector<int> axes = op.axes(a.axes, x.rank());
  op.require_extents("gamma", gamma, "x", x, axes);
  op.require_extents("beta", beta, "x", x, axes);
  const Reduced r(op, x, a.axes, true);
  const Tensor c = centered(op, x, a.axes), scale = scale_of(op, c, a.axes, a.epsilon);
  return op.compute(x.shape(), [&](const Indices& i) {
    const Indices own = on_axes(i, axes);
    return c(i) * scale(r.result_of(i)) * gamma(own) + beta(own);
  });
}

Tensor rms_norm(const Tensor& x, const Tensor& weight, const NormAttributes& a,
                const Where& where) {
  const Writer op("rms_norm", where);
  const std::vector<int> axes = op.axes(a.axes, x.rank());
  op.require_extents("weight", weight, "x", x, axes);
  const Reduced r(op, x, a.axes, true);
  const Tensor scale = scale_of(op, x, a.axes, a.epsilon);
  return op.compute(x.shape(), [&](const Indices& i) {
    return x(i) * scale(r.result_of(i)) * weight(on_axes(i, axes));
  });
}

// x (n, c, ..) as (n, groups, c / groups, ..), normalized over all but the first two.
Tensor group_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta,
                  const GroupNormAttributes& a, const Where& where) {
  const Writer op("group_norm", where);
  op.require_least_rank("x", x, 2);
  op.require_extents("gamma", gamma, "x", x, {1});
  op.require_extents("beta", beta, "x", x, {1});
  const Expr channels = x.shape(1);
  if (a.groups < 1 || !provably_divides(a.groups, channels))
    throw op.refused(std::to_string(a.groups) + " does not provably divide the " +
                         dim_text(channels) + " channels of x",
                     "give a number of groups that divides them");
  const Expr inside = normal(channels / a.groups);
  const Shape grouped = Shape{x.shape(0), a.groups, inside}.appended(x.shape().from(2));
  const Tensor g = op.compute(
      grouped,
      [&](const Indices& i) { return x(Indices{i[0], i[1] * inside + i[2]}.appended(i.from(3))); },
      "grouped");
  Integers axes;
  for (int d = 2; d < g.rank(); ++d) axes.push_back(d);
  const Tensor c = centered(op, g, axes), scale = scale_of(op, c, axes, a.epsilon);
  const Reduced r(op, c, axes, true);
  return op.compute(x.shape(), [&](const Indices& i) {
    const Indices own = Indices{i[0], i[1] / inside, i[1] % inside}.appended(i.from(2));
    return c(own) * scale(r.result_of(own)) * gamma(i[1]) + beta(i[1]);
  });
}

Tensor batch_norm(const Tensor& x, const Tensor& gamma, const Tensor& beta, const Tensor& mean,
                  const Tensor& variance, const BatchNormAttributes& a, const Where& where) {
  const Writer op("batch_norm", where);
  const int axis = op.axis(a.axis, x.rank());
  op.require_extents("gamma", gamma, "x", x, {axis});
  op.require_extents("beta", beta, "x", x, {axis});
  op.require_extents("mean", mean, "x", x, {axis});
  op.require_extents("variance", variance, "x", x, {axis});
  return op.compute(x.shape(), [&](const Indices& i) {
    const Expr c = i[axis];
    return (x(i) - mean(c)) / strata::sqrt(variance(c) + a.epsilon) * gamma(c) + beta(c);
  });
}

void register_reductions() {
#define STRATA_ROW(name)   \
  Registered(#name, {"x"}, \
             static_cast<Tensor (*)(const Tensor&, const ReduceAttributes&, const Where&)>(name));
  STRATA_REDUCTIONS(STRATA_ROW)
#undef STRATA_ROW
  Registered("argmax", {"x"},
             static_cast<Tensor (*)(const Tensor&, const ArgAttributes&, const Where&)>(argmax));
  Registered("argmin", {"x"},
             static_cast<Tensor (*)(const Tensor&, const ArgAttributes&, const Where&)>(argmin));
  Registered("cumsum", {"x"}, cumsum);
  Registered("softmax", {"x"}, softmax);
  Registered("log_softmax", {"x"}, log_softmax);
  Registered("layer_norm", {"x", "gamma", "beta"}, layer_norm);
  Registered("rms_norm", {"x", "weight"}, rms_norm);
  Registered("group_norm", {"x", "gamma", "beta"}, group_norm);
  Registered("batch_norm", {"x", "gamma", "beta", "mean", "variance"}, batch_norm);
}

}  // namespace strata::graph
