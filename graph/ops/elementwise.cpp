// Elementwise operators.
#include <cmath>

#include "graph/ops/ops.h"
#include "graph/ops/registry.h"
#include "graph/ops/writer.h"

namespace strata::graph {

namespace {

template <typename F>
Tensor unary(const char* name, const Tensor& x, const Where& where, const F& f) {
  return Writer(name, where).compute(x.shape(), [&](const Indices& i) { return Expr(f(x(i))); });
}

template <typename F>
Tensor binary(const char* name, const Tensor& x, const Tensor& y, const Where& where, const F& f) {
  const Writer op(name, where);
  op.require_same_type("x", x, "y", y);
  return op.compute(op.broadcast(x.shape(), y.shape()), [&](const Indices& i) {
    return Expr(f(x(broadcast_indices(x, i)), y(broadcast_indices(y, i))));
  });
}

// 1 for positive, -1 for negative values; 0 and NaN are themselves.
Expr sign_of(const Expr& v) {
  const Expr not_positive = is_unsigned_integer(v.type()) ? v : select(v < 0, -1, v);
  return select(v > 0, 1, not_positive);
}

// log(1 + exp(v)), without overflow.
Expr softplus_of(const Expr& v) { return max(0, v) + log(1 + exp(-abs(v))); }

// v, but at least "low" and at most "high"; NaN stays.
Expr between(const Expr& low, const Expr& v, const Expr& high) {
  return select(v < low, low, select(v > high, high, v));
}

}  // namespace

#define STRATA_UNARY(name, value)                                             \
  Tensor name(const Tensor& x, const Where& where) {                          \
    return unary(#name, x, where, [](const Expr& v) { return Expr(value); }); \
  }
STRATA_UNARY(negative, -v)
STRATA_UNARY(abs, strata::abs(v))
STRATA_UNARY(sqrt, strata::sqrt(v))
STRATA_UNARY(rsqrt, 1 / strata::sqrt(v))
STRATA_UNARY(exp, strata::exp(v))
STRATA_UNARY(log, strata::log(v))
STRATA_UNARY(sin, strata::sin(v))
STRATA_UNARY(cos, strata::cos(v))
STRATA_UNARY(tan, strata::tan(v))
STRATA_UNARY(asin, strata::asin(v))
STRATA_UNARY(acos, strata::acos(v))
STRATA_UNARY(atan, strata::atan(v))
STRATA_UNARY(sinh, strata::sinh(v))
STRATA_UNARY(cosh, strata::cosh(v))
STRATA_UNARY(tanh, strata::tanh(v))
STRATA_UNARY(asinh, strata::asinh(v))
STRATA_UNARY(acosh, strata::acosh(v))
STRATA_UNARY(atanh, strata::atanh(v))
STRATA_UNARY(erf, strata::erf(v))
STRATA_UNARY(floor, strata::floor(v))
STRATA_UNARY(ceil, strata::ceil(v))
STRATA_UNARY(round, strata::round(v))
STRATA_UNARY(trunc, strata::trunc(v))
STRATA_UNARY(sign, sign_of(v))
STRATA_UNARY(reciprocal, 1 / v)
STRATA_UNARY(is_nan, v != v)
STRATA_UNARY(logical_not, !v)
STRATA_UNARY(bitwise_not, ~v)
STRATA_UNARY(relu, strata::max(0, v))
STRATA_UNARY(sigmoid, sigmoid_of(v))
STRATA_UNARY(silu, v* sigmoid_of(v))
STRATA_UNARY(hard_swish, v* between(0.0, v / 6 + 0.5, 1.0))
STRATA_UNARY(mish, v* strata::tanh(softplus_of(v)))
STRATA_UNARY(softplus, softplus_of(v))
STRATA_UNARY(softsign, v / (1 + strata::abs(v)))
STRATA_UNARY(selu, 1.0507009873554805 * select(v > 0, v, 1.6732632423543772 * (strata::exp(v) - 1)))
#undef STRATA_UNARY

Tensor leaky_relu(const Tensor& x, const AlphaAttributes& a, const Where& where) {
  return unary("leaky_relu", x, where,
               [&](const Expr& v) { return select(v < 0, v * a.alpha, v); });
}

Tensor elu(const Tensor& x, const EluAttributes& a, const Where& where) {
  return unary("elu", x, where,
               [&](const Expr& v) { return select(v > 0, v, a.alpha * (strata::exp(v) - 1)); });
}

Tensor gelu(const Tensor& x, const GeluAttributes& a, const Where& where) {
  if (a.approximate != "none" && a.approximate != "tanh")
    throw Writer("gelu", where)
        .refused("there is no approximation \"" + a.approximate + "\"",
                 "give \"none\" or \"tanh\"");
  return unary("gelu", x, where, [&](const Expr& v) {
    const Expr inner = a.approximate == "tanh"
                           ? strata::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v))
                           : strata::erf(v * M_SQRT1_2);
    return 0.5 * v * (1 + inner);
  });
}

Tensor hard_sigmoid(const Tensor& x, const HardSigmoidAttributes& a, const Where& where) {
  return unary("hard_sigmoid", x, where,
               [&](const Expr& v) { return between(0.0, a.alpha * v + a.beta, 1.0); });
}

Tensor prelu(const Tensor& x, const Tensor& slope, const AxisAttributes& a, const Where& where) {
  const Writer op("prelu", where);
  const int axis = op.axis(a.axis, x.rank());
  op.require_extents("slope", slope, "x", x, {axis});
  return op.compute(
      x.shape(), [&](const Indices& i) { return select(x(i) < 0, slope(i[axis]) * x(i), x(i)); });
}

Tensor cast(const Tensor& x, const CastAttributes& a, const Where& where) {
  return unary("cast", x, where, [&](const Expr& v) { return strata::cast(a.type, v); });
}

Tensor clip(const Tensor& x, const ClipAttributes& a, const Where& where) {
  const Expr low = typed(x.type(), a.min), high = typed(x.type(), a.max);
  return unary("clip", x, where, [&](const Expr& v) { return between(low, v, high); });
}

#define STRATA_BINARY(name, value)                                                               \
  Tensor name(const Tensor& x, const Tensor& y, const Where& where) {                            \
    return binary(#name, x, y, where, [](const Expr& a, const Expr& b) { return Expr(value); }); \
  }
STRATA_BINARY(add, a + b)
STRATA_BINARY(subtract, a - b)
STRATA_BINARY(multiply, a* b)
STRATA_BINARY(divide, a / b)
STRATA_BINARY(floor_divide, is_float(a.type()) ? strata::floor(a / b) : a / b)
STRATA_BINARY(mod, is_float(a.type()) ? a - b* strata::floor(a / b) : a % b)
STRATA_BINARY(power, strata::pow(a, b))
STRATA_BINARY(maximum, strata::max(a, b))
STRATA_BINARY(minimum, strata::min(a, b))
STRATA_BINARY(equal, a == b)
STRATA_BINARY(not_equal, a != b)
STRATA_BINARY(less, a < b)
STRATA_BINARY(less_equal, a <= b)
STRATA_BINARY(greater, a > b)
STRATA_BINARY(greater_equal, a >= b)
STRATA_BINARY(logical_and, a&& b)
STRATA_BINARY(logical_or, a || b)
STRATA_BINARY(logical_xor, (a && !b) || (!a && b))
STRATA_BINARY(bitwise_and, a& b)
STRATA_BINARY(bitwise_or, a | b)
STRATA_BINARY(bitwise_xor, a ^ b)
STRATA_BINARY(left_shift, a << b)
STRATA_BINARY(right_shift, a >> b)
STRATA_BINARY(atan2, strata::atan2(a, b))
#undef STRATA_BINARY

Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y, const Where& where) {
  const Writer op("where", where);
  op.require_same_type("x", x, "y", y);
  if (condition.type() != boolean)
    throw op.refused("the condition is of type " + to_string(condition.type()), "give booleans");
  const Shape shape = op.broadcast(op.broadcast(x.shape(), y.shape()), condition.shape());
  return op.compute(shape, [&](const Indices& i) {
    return select(condition(broadcast_indices(condition, i)), x(broadcast_indices(x, i)),
                  y(broadcast_indices(y, i)));
  });
}

Tensor ewise_fma(const Tensor& x, const Tensor& y, const Tensor& z, const Where& where) {
  const Writer op("ewise_fma", where);
  op.require_same_type("x", x, "y", y);
  op.require_same_type("x", x, "z", z);
  const Shape shape = op.broadcast(op.broadcast(x.shape(), y.shape()), z.shape());
  return op.compute(shape, [&](const Indices& i) {
    return x(broadcast_indices(x, i)) * y(broadcast_indices(y, i)) + z(broadcast_indices(z, i));
  });
}

void register_elementwise() {
#define STRATA_ROW(name) \
  Registered(#name, {"x"}, static_cast<Tensor (*)(const Tensor&, const Where&)>(name));
  STRATA_UNARY_OPERATORS(STRATA_ROW)
#undef STRATA_ROW
#define STRATA_ROW(name)        \
  Registered(#name, {"x", "y"}, \
             static_cast<Tensor (*)(const Tensor&, const Tensor&, const Where&)>(name));
  STRATA_BINARY_OPERATORS(STRATA_ROW)
#undef STRATA_ROW
  Registered("leaky_relu", {"x"}, leaky_relu);
  Registered("elu", {"x"}, elu);
  Registered("gelu", {"x"}, gelu);
  Registered("hard_sigmoid", {"x"}, hard_sigmoid);
  Registered("prelu", {"x", "slope"}, prelu);
  Registered("cast", {"x"},
             static_cast<Tensor (*)(const Tensor&, const CastAttributes&, const Where&)>(cast));
  Registered("clip", {"x"}, clip);
  Registered("where", {"condition", "x", "y"}, where);
  Registered("ewise_fma", {"x", "y", "z"}, ewise_fma);
}

}  // namespace strata::graph
