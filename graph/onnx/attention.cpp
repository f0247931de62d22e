// Attention, and rotary embeddings.
#include <cmath>
#include <limits>

#include "graph/onnx/array_of.h"
#include "graph/onnx/rows.h"

namespace strata::graph::onnx {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// (b, s, heads d) as (b, heads, s, d).
Value with_heads(Node& n, const Value& x, std::int64_t heads) {
  if (n.rank(x) == 4) return x;
  if (n.rank(x) != 3 || heads < 1) throw n.refused("an operand has no heads");
  const Shape dims = n.dims(x);
  return n.transpose(n.reshape(x, {dims[0], dims[1], heads, normal(dims[2] / heads)}),
                     {0, 2, 1, 3});
}

// (b, heads, s, d) as (b, s, heads d).
Value without_heads(Node& n, const Value& x) {
  const Shape dims = n.dims(x);
  return n.reshape(n.transpose(x, {0, 2, 1, 3}), {dims[0], dims[2], normal(dims[1] * dims[3])});
}

// Repeats each head of keys or values for the queries that share it.
Value shared_heads(Node& n, const Value& x, const Expr& queries) {
  const Shape dims = n.dims(x);
  const auto many = constant_dim(queries), few = constant_dim(dims[1]);
  if (equal(queries, dims[1]) == Answer::yes) return x;
  if (!many || !few || *few == 0 || *many % *few != 0)
    throw n.refused("the heads of the queries are not a multiple of those of the keys");
  const std::int64_t times = *many / *few;
  const Value wide = n("broadcast_to", {n("expand_dims", {x}, NewAxesAttributes{2, 1})},
                       ShapeAttributes{{dims[0], dims[1], times, dims[2], dims[3]}});
  return n.reshape(wide, {dims[0], *many, dims[2], dims[3]});
}

Value numbers_to(Node& n, const Expr& end) {
  return n("range", {}, RangeAttributes{{end}, 0, 1, i64});
}
Value at_axis(Node& n, const Value& v, std::int64_t axis) {
  return n("expand_dims", {v}, NewAxesAttributes{axis, 1});
}

// The bias of the scores: the model's bias, and minus infinity for keys that a query does not see.
class Bias {
 public:
  Bias(Node& n, Type type, const Expr& queries, const Expr& keys)
      : n_(n), type_(type), queries_(queries), keys_(keys) {}

  void add(const Value& bias) { sum_ = sum_.defined() ? n_("add", {sum_, bias}) : bias; }
  void add_allowed(const Value& allowed) {
    add(n_("where", {allowed, n_.scalar(type_, 0), n_.scalar(type_, -infinity)}));
  }
  // A mask for fewer keys hides the other keys.
  void add_mask(Value mask) {
    const Expr missing = normal(keys_ - n_.dims(mask).at(-1));
    if (const auto width = constant_dim(missing); !width || *width > 0) {
      if (!width) throw n_.unsupported("the mask and the keys may differ in number");
      PadAttributes pads;
      pads.before.assign(std::size_t(n_.rank(mask)), 0);
      pads.after = pads.before;
      pads.after.back() = *width;
      pads.value = n_.type(mask) == boolean ? 0 : -infinity;
      mask = n_("pad", {mask}, pads);
    }
    if (n_.type(mask) == boolean)
      add_allowed(mask);
    else
      add(n_.cast(mask, type_));
  }
  // Query i stands at i + offset. It sees keys up to itself, or in a window around itself.
  void add_causal(const Value& offset) { add_allowed(n_("less_equal", {keys(), places(offset)})); }
  void add_window(const Value& offset, std::int64_t left, std::int64_t right) {
    const Value distance = n_("subtract", {places(offset), keys()});
    if (left >= 0) add_allowed(n_("less_equal", {distance, n_.scalar(i64, double(left))}));
    if (right >= 0) add_allowed(n_("greater_equal", {distance, n_.scalar(i64, -double(right))}));
  }
  // Each batch has only so many keys.
  void add_lengths(const Value& lengths) {
    add_allowed(n_("less", {keys(), n_.reshape(lengths, {n_.dims(lengths)[0], 1, 1, 1})}));
  }

  const Value& sum() const { return sum_; }

 private:
  Value keys() { return numbers_to(n_, keys_); }
  // The places of queries: (q, 1), or (b, 1, q, 1) if each batch has its own offset.
  Value places(const Value& offset) {
    return n_("add", {at_axis(n_, numbers_to(n_, queries_), 1), offset});
  }

  Node& n_;
  Type type_;
  Expr queries_, keys_;
  Value sum_;
};

// The softmax over keys; 0 for a query that sees no key.
Value seen_softmax(Node& n, const Value& scores, const Value& bias) {
  const Value result = n("softmax", {scores}, LastAxisAttributes{-1});
  if (!bias.defined()) return result;
  const Type type = n.type(bias);
  const Value most = n("max", {bias}, ReduceAttributes{{-1}, true});
  const Value sees = n("greater", {most, n.scalar(type, -infinity)});
  return n("where", {sees, result, n.scalar(n.type(result), 0)});
}

Value bias_of(Node& n, Type type, const Expr& queries, const Expr& keys) {
  Bias bias(n, type, queries, keys);
  Value offset = n.scalar(i64, 0);
  if (n.has(4)) offset = n.reshape(n.emitter().value_of(known_dims({n.dims(n.in(4))[2]})), {});
  if (n.has(6) && !n.has(4)) {
    const Value many = n.reshape(n.emitter().value_of(known_dims({queries})), {});
    const Value ends = n("subtract", {n.cast(n.in(6), i64), many});
    offset = n.reshape(ends, {n.dims(ends)[0], 1, 1, 1});
  }
  const std::int64_t left = n.integer("left_window_size", -1);
  const std::int64_t right = n.integer("right_window_size", -1);
  if (n.has(3)) bias.add_mask(n.in(3));
  if (n.flag("is_causal", false)) bias.add_causal(offset);
  if (left >= 0 || right >= 0) bias.add_window(offset, left, right);
  if (n.has(6)) bias.add_lengths(n.cast(n.in(6), i64));
  return bias.sum();
}

// softmax(softcap(Q K' scale) + bias) V
Values attention(Node& n) {
  const bool is_flat = n.rank(n.in(0)) == 3;
  const Value q = with_heads(n, n.in(0), n.integer("q_num_heads", 0));
  Value k = with_heads(n, n.in(1), n.integer("kv_num_heads", 0));
  Value v = with_heads(n, n.in(2), n.integer("kv_num_heads", 0));
  if (n.has(4)) k = n("concatenate", {n.in(4), k}, FirstAxisAttributes{2});
  if (n.has(5)) v = n("concatenate", {n.in(5), v}, FirstAxisAttributes{2});
  const Type type = n.type(q);
  const auto size = constant_dim(n.dims(q)[3]);
  if (!n.has("scale") && !size) throw n.unsupported("the size of a head is not a number");
  const double scale = n.has("scale") ? n.real("scale", 1) : 1 / std::sqrt(double(*size));
  const Value root = n.scalar(type, std::sqrt(scale));
  const Value keys = shared_heads(n, k, n.dims(q)[1]), values = shared_heads(n, v, n.dims(q)[1]);
  const Value plain =
      n.matmul(n("multiply", {q, root}), n("multiply", {keys, root}), {false, true});
  Value scores = plain;
  const double cap = n.real("softcap", 0);
  if (cap > 0)
    scores = n("multiply",
               {n("tanh", {n("divide", {scores, n.scalar(type, cap)})}), n.scalar(type, cap)});
  const Value capped = scores;
  const Value bias = bias_of(n, type, n.dims(q)[2], n.dims(k)[2]);
  if (bias.defined()) scores = n("add", {scores, bias});
  const auto wide = element_of(DataType(n.integer("softmax_precision", 0)));
  const Value weights = n.cast(seen_softmax(n, n.cast(scores, wide.value_or(type)), bias), type);
  const Value y = n.matmul(weights, values);
  const Value shown[] = {plain, capped, scores, weights};
  const std::int64_t mode = n.integer("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) throw n.refused("qk_matmul_output_mode is not from 0 to 3");
  return {is_flat ? without_heads(n, y) : y, k, v, shown[mode]};
}

// ---- rotary embedding ----

Value last_part(Node& n, const Value& x, const StridedSliceAttributes& slice) {
  return n("strided_slice", {x}, slice);
}

// Turns pairs of numbers in x (b, heads, s, d) by the angles of their positions.
Values rotary_embedding(Node& n) {
  const Value x = with_heads(n, n.in(0), n.integer("num_heads", 0));
  const auto size = constant_dim(n.dims(x)[3]);
  if (!size) throw n.unsupported("the size of a head is not a number");
  const std::int64_t given = n.integer("rotary_embedding_dim", 0);
  const std::int64_t turned = given == 0 ? *size : given, half = turned / 2;
  if (turned < 0 || turned > *size) throw n.refused("rotary_embedding_dim does not fit");
  const auto angles = [&](int k) {
    const Value cache = n.in(k);
    const Value rows = n.has(3) ? n("take", {cache, n.in(3)}, TakeAttributes{0, "error"}) : cache;
    return at_axis(n, rows, 1);
  };
  const Value cosine = angles(1), sine = angles(2);
  const bool interleaved = n.flag("interleaved", false);
  const Value a = last_part(n, x,
                            interleaved ? StridedSliceAttributes{{0}, {turned}, {2}, {3}}
                                        : StridedSliceAttributes{{0}, {half}, {1}, {3}});
  const Value b = last_part(n, x,
                            interleaved ? StridedSliceAttributes{{1}, {turned}, {2}, {3}}
                                        : StridedSliceAttributes{{half}, {turned}, {1}, {3}});
  const auto product = [&](const Value& u, const Value& v) { return n("multiply", {u, v}); };
  const Value real = n("subtract", {product(cosine, a), product(sine, b)});
  const Value imaginary = n("add", {product(sine, a), product(cosine, b)});
  Value y;
  if (interleaved)
    y = n.reshape(n("stack", {real, imaginary}, FirstAxisAttributes{-1}),
                  n.dims(x).with_last(turned));
  else
    y = n("concatenate", {real, imaginary}, FirstAxisAttributes{3});
  if (turned < *size) {
    const Value rest = last_part(n, x, {{turned}, {*size}, {1}, {3}});
    y = n("concatenate", {y, rest}, FirstAxisAttributes{3});
  }
  return {n.rank(n.in(0)) == 3 ? without_heads(n, y) : y};
}

constexpr Row attention_table[] = {
    {"Attention", attention, 23},
    {"RotaryEmbedding", rotary_embedding, 23},
};

}  // namespace

std::span<const Row> attention_rows() { return attention_table; }

}  // namespace strata::graph::onnx
