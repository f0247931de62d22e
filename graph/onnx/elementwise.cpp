// Elementwise operators.
#include <limits>

#include "graph/onnx/array_of.h"
#include "graph/onnx/rows.h"

namespace strata::graph::onnx {

namespace {

Value unary(Node& n, const char* op) { return n(op, {n.in(0)}); }

// The second operand. Before version 7 it has the extents of the first one from an axis on.
Value second(Node& n) {
  const Value y = n.in(1);
  if (n.version() >= 7 || !n.has("axis")) return y;
  const int rank = n.rank(n.in(0));
  const std::int64_t behind = rank - n.axis(n.integer("axis"), rank) - n.rank(y);
  return behind > 0 ? n("expand_dims", {y}, NewAxesAttributes{-1, behind}) : y;
}

Value binary(Node& n, const char* op) { return n(op, {n.in(0), second(n)}); }

Value folded_over(Node& n, const char* op) {
  Value all = n.in(0);
  for (int k = 1; k < n.count(); ++k) all = n(op, {all, n.in(k)});
  return all;
}

bool may_be_negative(Node& n, const Value& v) {
  if (is_unsigned_integer(n.type(v))) return false;
  const KnownRef known = n.emitter().find_known(v);
  if (!known) return true;
  for (const Expr& e : known->elements)
    if (e.op() == Op::constant && e.node().integer < 0) return true;
  return false;
}

// Integers are divided towards 0: |x| / |y| with the sign of the product. Extents are positive.
Values divide(Node& n) {
  const Value x = n.in(0), y = second(n);
  if (is_float(n.type(x)) || (!may_be_negative(n, x) && !may_be_negative(n, y)))
    return {n("divide", {x, y})};
  const Value quotient = n("divide", {n("abs", {x}), n("abs", {y})});
  return {n("multiply", {quotient, n("multiply", {n("sign", {x}), n("sign", {y})})})};
}

// With fmod the remainder has the sign of x.
Values mod(Node& n) {
  const Value x = n.in(0), y = n.in(1);
  if (!n.flag("fmod", false)) return {n("mod", {x, y})};
  const Value rest = n("mod", {n("abs", {x}), n("abs", {y})});
  if (is_unsigned_integer(n.type(x))) return {rest};
  return {n("where", {n("less", {x, n.scalar(n.type(x), 0)}), n("negative", {rest}), rest})};
}

// Computes in floats, also for integers. The result has the type of the base.
Values power(Node& n) {
  const Value x = n.in(0), y = second(n);
  const Type type = n.type(x);
  const Type wide = is_float(type) ? type : f64;
  const Value result = n("power", {n.cast(x, wide), n.cast(y, wide)});
  return {n.cast(is_float(type) ? result : n("round", {result}), type)};
}

Values mean(Node& n) {
  const Value total = folded_over(n, "add");
  return {n("divide", {total, n.scalar(n.type(total), n.count())})};
}

Values clip(Node& n) {
  Value x = n.in(0);
  const Type type = n.type(x);
  const auto bound = [&](const char* attribute, int operand) {
    if (n.has(attribute)) return n.scalar(type, n.real(attribute, 0));
    return n.has(operand) ? n.in(operand) : Value();
  };
  const Value low = bound("min", 1), high = bound("max", 2);
  if (low.defined()) x = n("maximum", {x, low});
  return {high.defined() ? n("minimum", {x, high}) : x};
}

Type type_named(Node& n, std::int64_t number) {
  const auto type = element_of(DataType(number));
  if (!type) throw n.unsupported("there are elements of " + name_of(DataType(number)));
  return *type;
}

Values bit_shift(Node& n) {
  const std::string direction = n.text("direction", "");
  if (direction != "LEFT" && direction != "RIGHT")
    throw n.refused("direction is \"" + direction + "\"", "give \"LEFT\" or \"RIGHT\"");
  return {binary(n, direction == "LEFT" ? "left_shift" : "right_shift")};
}

Values is_infinite(Node& n) {
  const Value x = n.in(0);
  const double infinity = std::numeric_limits<double>::infinity();
  const auto is = [&](double value) { return n("equal", {x, n.scalar(n.type(x), value)}); };
  const bool positive = n.flag("detect_positive", true), negative = n.flag("detect_negative", true);
  if (positive && negative) return {n("logical_or", {is(infinity), is(-infinity)})};
  if (positive || negative) return {is(positive ? infinity : -infinity)};
  return {n("less", {x, x})};
}

// ---- activations ----

Values prelu(Node& n) {
  const Value x = n.in(0);
  Value slope = n.in(1);
  // Before version 7 there is one slope per channel.
  if (n.version() < 7 && n.rank(x) > 2 && n.rank(slope) == 1)
    slope = n("expand_dims", {slope}, NewAxesAttributes{1, n.rank(x) - 2});
  return {n("where", {n("less", {x, n.scalar(n.type(x), 0)}), n("multiply", {slope, x}), x})};
}

Values selu(Node& n) {
  const Value x = n.in(0);
  const bool is_old = n.version() < 6;
  const double alpha = n.real("alpha", is_old ? 1.6732 : 1.67326319217681884765625);
  const double gamma = n.real("gamma", is_old ? 1.0507 : 1.05070102214813232421875);
  return {n("multiply", {n("elu", {x}, EluAttributes{alpha}), n.scalar(n.type(x), gamma)})};
}

// x > 0 ? x : alpha (exp(x / alpha) - 1)
Values celu(Node& n) {
  const Value x = n.in(0), alpha = n.scalar(n.type(x), n.real("alpha", 1));
  return {n("multiply", {n("elu", {n("divide", {x, alpha})}), alpha})};
}

Values thresholded_relu(Node& n) {
  const Value x = n.in(0), zero = n.scalar(n.type(x), 0);
  const Value alpha = n.scalar(n.type(x), n.real("alpha", 1));
  return {n("where", {n("greater", {x, alpha}), x, zero})};
}

// x + bias below -lambd, x - bias above lambd, else 0.
Values shrink(Node& n) {
  const Value x = n.in(0);
  const Type type = n.type(x);
  const double lambd = n.real("lambd", 0.5);
  const Value bias = n.scalar(type, n.real("bias", 0));
  const Value above = n("where", {n("greater", {x, n.scalar(type, lambd)}),
                                  n("subtract", {x, bias}), n.scalar(type, 0)});
  return {n("where", {n("less", {x, n.scalar(type, -lambd)}), n("add", {x, bias}), above})};
}

Values swish(Node& n) {
  const Value x = n.in(0), alpha = n.scalar(n.type(x), n.real("alpha", 1));
  return {n("multiply", {x, n("sigmoid", {n("multiply", {x, alpha})})})};
}

Values hard_sigmoid(Node& n) {
  return {n("hard_sigmoid", {n.in(0)},
            HardSigmoidAttributes{n.real("alpha", 0.2), n.real("beta", 0.5)})};
}

// Inference: keeps everything.
Values dropout(Node& n) {
  const Value x = n.in(0);
  const bool trains = n.has(2) && n.number(2) != 0;
  const double ratio = n.has(1) ? n.number(1) : 0.5;
  if (trains && ratio != 0) throw n.unsupported("it is in training mode, which draws numbers");
  Values results{x};
  const Type mask = n.version() < 10 ? n.type(x) : boolean;
  if (n.wants(1)) results.push_back(n("full", {}, FullAttributes{n.dims(x), 1, mask}));
  return results;
}

#define STRATA_UNARY(op, name) {op, [](Node& n) { return Values{unary(n, name)}; }}
#define STRATA_BINARY(op, name) {op, [](Node& n) { return Values{binary(n, name)}; }}
#define STRATA_VARIADIC(op, name) {op, [](Node& n) { return Values{folded_over(n, name)}; }}

constexpr Row elementwise_table[] = {
    STRATA_UNARY("Abs", "abs"),
    STRATA_UNARY("Acos", "acos"),
    STRATA_UNARY("Acosh", "acosh"),
    STRATA_BINARY("Add", "add"),
    STRATA_BINARY("And", "logical_and"),
    STRATA_UNARY("Asin", "asin"),
    STRATA_UNARY("Asinh", "asinh"),
    STRATA_UNARY("Atan", "atan"),
    STRATA_UNARY("Atanh", "atanh"),
    {"BitShift", bit_shift},
    STRATA_BINARY("BitwiseAnd", "bitwise_and"),
    STRATA_UNARY("BitwiseNot", "bitwise_not"),
    STRATA_BINARY("BitwiseOr", "bitwise_or"),
    STRATA_BINARY("BitwiseXor", "bitwise_xor"),
    {"Cast", [](Node& n) { return Values{n.cast(n.in(0), type_named(n, n.integer("to")))}; }, 6},
    {"CastLike", [](Node& n) { return Values{n.cast(n.in(0), n.type(n.in(1)))}; }},
    STRATA_UNARY("Ceil", "ceil"),
    {"Celu", celu},
    {"Clip", clip},
    STRATA_UNARY("Cos", "cos"),
    STRATA_UNARY("Cosh", "cosh"),
    {"Div", divide},
    {"Dropout", dropout, 7},
    {"Elu", [](Node& n) { return Values{n("elu", {n.in(0)}, EluAttributes{n.real("alpha", 1)})}; }},
    STRATA_BINARY("Equal", "equal"),
    STRATA_UNARY("Erf", "erf"),
    STRATA_UNARY("Exp", "exp"),
    STRATA_UNARY("Floor", "floor"),
    {"Gelu",
     [](Node& n) {
       return Values{n("gelu", {n.in(0)}, GeluAttributes{n.text("approximate", "none")})};
     }},
    STRATA_BINARY("Greater", "greater"),
    STRATA_BINARY("GreaterOrEqual", "greater_equal"),
    {"HardSigmoid", hard_sigmoid},
    STRATA_UNARY("HardSwish", "hard_swish"),
    {"Identity", [](Node& n) { return Values{n.in(0)}; }},
    {"IsInf", is_infinite},
    STRATA_UNARY("IsNaN", "is_nan"),
    {"LeakyRelu",
     [](Node& n) {
       return Values{n("leaky_relu", {n.in(0)}, AlphaAttributes{n.real("alpha", 0.01)})};
     }},
    STRATA_BINARY("Less", "less"),
    STRATA_BINARY("LessOrEqual", "less_equal"),
    STRATA_UNARY("Log", "log"),
    STRATA_VARIADIC("Max", "maximum"),
    {"Mean", mean},
    STRATA_VARIADIC("Min", "minimum"),
    STRATA_UNARY("Mish", "mish"),
    {"Mod", mod},
    STRATA_BINARY("Mul", "multiply"),
    STRATA_UNARY("Neg", "negative"),
    STRATA_UNARY("Not", "logical_not"),
    STRATA_BINARY("Or", "logical_or"),
    {"PRelu", prelu},
    {"Pow", power},
    STRATA_UNARY("Reciprocal", "reciprocal"),
    STRATA_UNARY("Relu", "relu"),
    STRATA_UNARY("Round", "round"),
    {"Selu", selu},
    {"Shrink", shrink},
    STRATA_UNARY("Sigmoid", "sigmoid"),
    STRATA_UNARY("Sign", "sign"),
    STRATA_UNARY("Sin", "sin"),
    STRATA_UNARY("Sinh", "sinh"),
    STRATA_UNARY("Softplus", "softplus"),
    STRATA_UNARY("Softsign", "softsign"),
    STRATA_UNARY("Sqrt", "sqrt"),
    STRATA_BINARY("Sub", "subtract"),
    STRATA_VARIADIC("Sum", "add"),
    {"Swish", swish},
    STRATA_UNARY("Tan", "tan"),
    STRATA_UNARY("Tanh", "tanh"),
    {"ThresholdedRelu", thresholded_relu},
    {"Where", [](Node& n) { return Values{n("where", {n.in(0), n.in(1), n.in(2)})}; }},
    STRATA_BINARY("Xor", "logical_xor"),
};

#undef STRATA_UNARY
#undef STRATA_BINARY
#undef STRATA_VARIADIC

}  // namespace

std::span<const Row> elementwise_rows() { return elementwise_table; }

}  // namespace strata::graph::onnx
