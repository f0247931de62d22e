// Reductions over axes.
#include "graph/onnx/rows.h"

namespace strata::graph::onnx {

namespace {

using Before = Value (*)(Node&, const Value&);

Value itself(Node&, const Value& x) { return x; }
Value square(Node& n, const Value& x) { return n("multiply", {x, x}); }
Value logarithm(Node& n, const Value& x) { return n("log", {x}); }

// after(op(before(x))). An empty list of axes means all axes, or no axis.
Values reduced(Node& n, const char* op, Before before = itself, Before after = itself) {
  const Value x = before(n, n.in(0));
  const Integers axes = n.numbers("axes", 1).value_or(Integers());
  if (axes.empty() && n.flag("noop_with_empty_axes", false)) return {after(n, x)};
  return {after(n, n(op, {x}, ReduceAttributes{axes, n.flag("keepdims", true)}))};
}

// Booleans use another operator: their maximum is true if any is.
Values extreme(Node& n, const char* op, const char* of_booleans) {
  return reduced(n, n.type(n.in(0)) == boolean ? of_booleans : op);
}

// The first position, or the last one, which is the first one in reverse.
Values position(Node& n, const char* op) {
  Value x = n.in(0);
  const std::int64_t axis = n.axis(n.integer("axis", 0), n.rank(x));
  const bool last = n.flag("select_last_index", false);
  if (last) x = n("reverse", {x}, AxesAttributes{{axis}});
  const Value place = n(op, {x}, ArgAttributes{axis, n.flag("keepdims", true)});
  if (!last) return {place};
  const Value end = n.emitter().value_of(known_dims({n.dims(x)[int(axis)] - 1}));
  return {n("subtract", {n.reshape(end, {}), place})};
}

Values cumsum(Node& n) {
  CumsumAttributes sums;
  sums.axis = n.axis(n.numbers(1).at(0), n.rank(n.in(0)));
  sums.exclusive = n.flag("exclusive", false);
  sums.reverse = n.flag("reverse", false);
  return {n("cumsum", {n.in(0)}, sums)};
}

// The products up to each element, or before it; from the end if "reverse".
Values cumprod(Node& n) {
  const Value x = n.in(0);
  const int axis = int(n.axis(n.numbers(1).at(0), n.rank(x)));
  const bool exclusive = n.flag("exclusive", false), reverse = n.flag("reverse", false);
  const auto products = [&](const Tensor& t) {
    return compute(
        t.shape(),
        [&](const Indices& i) {
          const Expr place = reverse ? t.shape(axis) - 1 - i[axis] : i[axis];
          const Axis k = reduce_axis(exclusive ? place : place + 1, "k");
          return strata::product(k,
                                 t(i.with(axis, reverse ? t.shape(axis) - 1 - Expr(k) : Expr(k))));
        },
        "cumprod", n.emitter().where());
  };
  return {n.emitter().emit_te("cumprod", products, x)};
}

constexpr Row reduction_table[] = {
    {"ArgMax", [](Node& n) { return position(n, "argmax"); }},
    {"ArgMin", [](Node& n) { return position(n, "argmin"); }},
    {"CumProd", cumprod},
    {"CumSum", cumsum},
    {"ReduceL1", [](Node& n) { return reduced(n, "l1_norm"); }},
    {"ReduceL2", [](Node& n) { return reduced(n, "l2_norm"); }},
    {"ReduceLogSum", [](Node& n) { return reduced(n, "sum", itself, logarithm); }},
    {"ReduceLogSumExp", [](Node& n) { return reduced(n, "logsumexp"); }},
    {"ReduceMax", [](Node& n) { return extreme(n, "max", "any"); }},
    {"ReduceMean", [](Node& n) { return reduced(n, "mean"); }},
    {"ReduceMin", [](Node& n) { return extreme(n, "min", "all"); }},
    {"ReduceProd", [](Node& n) { return reduced(n, "prod"); }},
    {"ReduceSum", [](Node& n) { return reduced(n, "sum"); }},
    {"ReduceSumSquare", [](Node& n) { return reduced(n, "sum", square); }},
};

}  // namespace

std::span<const Row> reduction_rows() { return reduction_table; }

}  // namespace strata::graph::onnx
