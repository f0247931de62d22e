// Operators that read elements at indices, and those without tensors.
#include "graph/ops/ops.h"
#include "graph/ops/registry.h"
#include "graph/ops/writer.h"

namespace strata::graph {

namespace {

void require_integers(const Writer& op, const Tensor& indices) {
  if (!is_integer(indices.type()))
    throw op.refused("indices are of type " + to_string(indices.type()), "give integers");
}

// The index by its mode: unchanged, clipped to the ends, or wrapped around.
Expr in_mode(const Writer& op, const Expr& index, const Expr& extent, const std::string& mode) {
  const Expr wide = strata::cast(i64, index);
  if (mode == "error") return wide;
  if (mode == "clip") return clamp(wide, 0, extent - 1);
  if (mode == "wrap") return wide % extent;
  throw op.refused("there is no mode \"" + mode + "\"", "give \"error\", \"clip\" or \"wrap\"");
}

}  // namespace

Tensor take(const Tensor& x, const Tensor& indices, const TakeAttributes& a, const Where& where) {
  const Writer op("take", where);
  require_integers(op, indices);
  const int axis = op.axis(a.axis, x.rank()), count = indices.rank();
  const Shape shape =
      x.shape().first(axis).appended(indices.shape()).appended(x.shape().from(axis + 1));
  return op.compute(shape, [&](const Indices& i) {
    const Indices place = i.from(axis).first(count);
    const Expr index = in_mode(op, indices(place), x.shape(axis), a.mode);
    return x(i.first(axis).appended({index}).appended(i.from(axis + count)));
  });
}

Tensor gather(const Tensor& x, const Tensor& indices, const FirstAxisAttributes& a,
              const Where& where) {
  const Writer op("gather", where);
  require_integers(op, indices);
  const int axis = op.axis(a.axis, x.rank());
  op.require_rank("indices", indices, x.rank());
  for (int d = 0; d < x.rank(); ++d)
    if (d != axis) op.require_equal("x", x, d, "indices", indices, d);
  return op.compute(indices.shape(), [&](const Indices& i) {
    return x(i.with(axis, strata::cast(i64, indices(i))));
  });
}

Tensor gather_nd(const Tensor& x, const Tensor& indices, const GatherNdAttributes& a,
                 const Where& where) {
  const Writer op("gather_nd", where);
  require_integers(op, indices);
  op.require_least_rank("indices", indices, 1);
  const int count = int(op.require_constant("indices", indices, -1)), batches = int(a.batch_dims);
  if (batches < 0 || batches >= indices.rank() || batches + count > x.rank())
    throw op.refused("x has the shape " + text_of(x.shape()) + ", and indices " +
                     text_of(indices.shape()) + " with " + std::to_string(batches) + " batch dims");
  for (int d = 0; d < batches; ++d) op.require_equal("x", x, d, "indices", indices, d);
  const Shape outer = indices.shape().without(-1);
  return op.compute(outer.appended(x.shape().from(batches + count)), [&](const Indices& i) {
    Indices all = i.first(batches);
    for (int k = 0; k < count; ++k)
      all.push_back(
          strata::cast(i64, indices(i.first(outer.rank()).appended({Expr(std::int64_t(k))}))));
    return x(all.appended(i.from(outer.rank())));
  });
}

Tensor one_hot(const Tensor& indices, const OneHotAttributes& a, const Where& where) {
  const Writer op("one_hot", where);
  require_integers(op, indices);
  const int axis = op.axis(a.axis, indices.rank() + 1);
  return op.compute(indices.shape().inserted(axis, a.depth), [&](const Indices& i) {
    return select(strata::cast(i64, indices(i.without(axis))) == i[axis], typed(a.type, a.on),
                  typed(a.type, a.off));
  });
}

Tensor range(const RangeAttributes& a, const Where& where) {
  const Writer op("range", where);
  if (a.extent.rank() != 1) throw op.refused("extent is " + text_of(a.extent), "give one dim");
  return op.compute(a.extent, [&](const Indices& i) {
    return typed(a.type, a.start) + typed(a.type, a.step) * strata::cast(a.type, i[0]);
  });
}

Tensor full(const FullAttributes& a, const Where& where) {
  return Writer("full", where).compute(a.shape, [&](const Indices&) {
    return typed(a.type, a.value);
  });
}

void register_indexing() {
  Registered("take", {"x", "indices"}, take);
  Registered("gather", {"x", "indices"}, gather);
  Registered("gather_nd", {"x", "indices"}, gather_nd);
  Registered("one_hot", {"indices"}, one_hot);
  Registered("range", {}, range);
  Registered("full", {}, full);
}

}  // namespace strata::graph
