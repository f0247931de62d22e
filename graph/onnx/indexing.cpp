// Elements at indices that are data.
#include <algorithm>
#include <numeric>

#include "graph/onnx/rows.h"

namespace strata::graph::onnx {

namespace {

Value dims_value(Node& n, const Shape& dims) { return n.emitter().value_of(known_dims(dims)); }

// The dim as a number of rank 0.
Value dim_value(Node& n, const Expr& dim) { return n.reshape(dims_value(n, {dim}), {}); }

// Indices as int64, counted from 0: those below 0 count from the end. "extents" has one extent, or
// one for each number of the last dimension.
Value counted_indices(Node& n, const Value& given, const Value& extents) {
  const Value indices = n.cast(given, i64);
  if (const KnownRef known = n.emitter().find_known(indices)) {
    const auto is_counted = [](const Expr& e) {
      return e.op() != Op::constant || e.node().integer >= 0;
    };
    if (std::all_of(known->elements.begin(), known->elements.end(), is_counted)) return indices;
  }
  const Value is_negative = n("less", {indices, n.scalar(i64, 0)});
  return n("where", {is_negative, n("add", {indices, extents}), indices});
}

Values gather(Node& n) {
  const Value x = n.in(0);
  const std::int64_t axis = n.axis(n.integer("axis", 0), n.rank(x));
  const Value indices = counted_indices(n, n.in(1), dim_value(n, n.dims(x)[int(axis)]));
  return {n("take", {x, indices}, TakeAttributes{axis, "error"})};
}

Values gather_elements(Node& n) {
  const Value x = n.in(0), given = n.in(1);
  const std::int64_t axis = n.axis(n.integer("axis", 0), n.rank(x));
  const Value indices = counted_indices(n, given, dim_value(n, n.dims(x)[int(axis)]));
  // If the indices have smaller extents on other axes, this cuts x to these extents.
  StridedSliceAttributes slice;
  for (int d = 0; d < n.rank(x); ++d) {
    if (d == axis || equal(n.dims(x)[d], n.dims(given)[d]) == Answer::yes) continue;
    const auto extent = constant_dim(n.dims(given)[d]);
    if (!extent) throw n.unsupported("extents of data and indices may differ");
    slice.axes.push_back(d);
    slice.begin.push_back(0);
    slice.end.push_back(*extent);
  }
  const Value part = slice.axes.empty() ? x : n("strided_slice", {x}, slice);
  return {n("gather", {part, indices}, FirstAxisAttributes{axis})};
}

Values gather_nd(Node& n) {
  const Value x = n.in(0), indices = n.in(1);
  const std::int64_t batches = n.integer("batch_dims", 0);
  const auto count = constant_dim(n.dims(indices).at(-1));
  if (!count || batches < 0 || batches + *count > n.rank(x))
    throw n.refused("the last extent of indices does not fit the operand");
  const Shape extents = n.dims(x).from(int(batches)).first(int(*count));
  return {n("gather_nd", {x, counted_indices(n, indices, dims_value(n, extents))},
            GatherNdAttributes{batches})};
}

// values[1] where the index on the new axis equals the given index; nowhere if that is out of
// bounds.
Values one_hot(Node& n) {
  const Value indices = n.cast(n.in(0), i64), values = n.in(2);
  const std::int64_t axis = n.axis(n.integer("axis", -1), n.rank(indices) + 1);
  const Expr depth = n.is_known(1) && !is_float(n.type(n.in(1))) ? n.sizes(1).at(0)
                                                                 : Expr(std::int64_t(n.number(1)));
  Shape alone(std::size_t(n.rank(indices)) + 1, Expr(std::int64_t{1}));
  alone[int(axis)] = depth;
  const Value places = n.reshape(n("range", {}, RangeAttributes{{depth}, 0, 1, i64}), alone);
  const Value counted = counted_indices(n, indices, dim_value(n, depth));
  const Value is_on = n("equal", {n("expand_dims", {counted}, NewAxesAttributes{axis, 1}), places});
  const auto value = [&](double k) {
    return n("take", {values, n.scalar(i64, k)}, TakeAttributes{0, "error"});
  };
  return {n("where", {is_on, value(1), value(0)})};
}

Values top_k(Node& n) {
  const Value x = n.in(0);
  const std::int64_t k = n.version() < 10 ? n.integer("k") : n.numbers(1).at(0);
  return n.all("top_k", {x}, TopKAttributes{k, n.integer("axis", -1), n.flag("largest", true)});
}

Values nonzero(Node& n) {
  const Value x = n.in(0);
  if (n.rank(x) == 0) throw n.unsupported("the operand has rank 0");
  return {n("nonzero", {x})};
}

// The slices at which the condition holds; without an axis, the elements, taken as one row.
Values compress(Node& n) {
  Value x = n.in(0);
  if (!n.has("axis")) x = n("flatten", {x});
  const std::int64_t axis = n.axis(n.integer("axis", 0), n.rank(x));
  const Value places = n("nonzero", {n.in(1)});
  const Value row = n("take", {places, n.scalar(i64, 0)}, TakeAttributes{0, "error"});
  return {n("take", {x, row}, TakeAttributes{axis, "error"})};
}

// The first lengths(b) elements of each batch from the last to the first.
Values reverse_sequence(Node& n) {
  const Value x = n.in(0), lengths = n.cast(n.in(1), i64);
  const int time = int(n.integer("time_axis", 0)), batch = int(n.integer("batch_axis", 1));
  if (time + batch != 1 || time * batch != 0 || n.rank(x) < 2)
    throw n.refused("time_axis and batch_axis are not 0 and 1");
  const auto reverse = [&](const Tensor& t, const Tensor& length) {
    return compute(
        t.shape(),
        [&](const Indices& i) {
          const Expr count = length(i[batch]);
          return t(i.with(time, select(i[time] < count, count - 1 - i[time], i[time])));
        },
        "reverse_sequence", n.emitter().where());
  };
  return {n.emitter().emit_te("reverse_sequence", reverse, x, lengths)};
}

constexpr Row indexing_table[] = {
    {"Compress", compress},
    {"Gather", gather},
    {"GatherElements", gather_elements},
    {"GatherND", gather_nd},
    {"NonZero", nonzero},
    {"OneHot", one_hot},
    {"ReverseSequence", reverse_sequence},
    {"TopK", top_k},
};

}  // namespace

std::span<const Row> indexing_rows() { return indexing_table; }

}  // namespace strata::graph::onnx
