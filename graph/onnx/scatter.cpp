// Elements written at indices that are data.
//
// An element of the result asks for the updates that belong to it: y(i) = x(i) with every update(j)
// whose index is i. So nothing is written twice, and the work is that of x times the updates on one
// axis (ScatterElements), or times all of them (ScatterND).
#include <fmt/format.h>

#include "graph/onnx/rows.h"
#include "graph/ops/writer.h"

namespace strata::graph::onnx {

namespace {

// How an update joins the element that is there.
struct Mixing {
  std::string name;

  Expr reduced(const std::vector<Var>& over, const Expr& matches, const Expr& update) const {
    const Type type = update.type();
    if (name == "mul") return product(over, select(matches, update, typed(type, 1)));
    if (name == "max")
      return maximum(over, select(matches, update, identity_of(Reduction::maximum, type)));
    if (name == "min")
      return minimum(over, select(matches, update, identity_of(Reduction::minimum, type)));
    return sum(over, select(matches, update, typed(type, 0)));
  }
  Expr mixed(const Expr& x, const Expr& update, const Expr& is_any) const {
    if (name == "mul") return x * update;
    if (name == "max") return max(x, update);
    if (name == "min") return min(x, update);
    return name == "add" ? x + update : select(is_any, update, x);
  }
};

Mixing mixing_of(Node& n) {
  const Mixing mixing{n.text("reduction", "none")};
  for (const char* known : {"none", "add", "mul", "max", "min"})
    if (mixing.name == known) return mixing;
  throw n.refused("reduction is \"" + mixing.name + "\"");
}

// Combines the updates of each element, and notes whether there are any. Then combines both with x.
Tensor scattered(const Tensor& x, const Mixing& mixing, const std::vector<Axis>& over,
                 const std::function<Expr(const Indices&)>& matches,
                 const std::function<Expr(const Indices&)>& update, const Where& where) {
  const std::vector<Var> k(over.begin(), over.end());
  const Tensor changes = compute(
      x.shape(), [&](const Indices& i) { return mixing.reduced(k, matches(i), update(i)); },
      "changes", where);
  if (mixing.name != "none")
    return compute(
        x.shape(), [&](const Indices& i) { return mixing.mixed(x(i), changes(i), Expr()); },
        "scatter", where);
  const Tensor is_any =
      compute(x.shape(), [&](const Indices& i) { return any(k, matches(i)); }, "is_changed", where);
  return compute(
      x.shape(), [&](const Indices& i) { return mixing.mixed(x(i), changes(i), is_any(i)); },
      "scatter", where);
}

Expr counted(const Expr& index, const Expr& extent) {
  const Expr wide = cast(i64, index);
  return select(wide < 0, wide + extent, wide);
}

// The update at k on the axis is for the element at indices(.., k, ..).
Values scatter_elements(Node& n) {
  const Value x = n.in(0), indices = n.in(1), updates = n.in(2);
  const int axis = int(n.axis(n.integer("axis", 0), n.rank(x)));
  const Mixing mixing = mixing_of(n);
  if (n.rank(indices) != n.rank(x) || n.rank(updates) != n.rank(x))
    throw n.refused("the operands are of different ranks");
  const auto scatter = [&](const Tensor& t, const Tensor& places, const Tensor& values) {
    const Axis k = reduce_axis(places.shape(axis), "k");
    const auto matches = [&](const Indices& i) {
      Expr inside;
      for (int d = 0; d < t.rank(); ++d)
        if (d != axis && equal(t.shape(d), places.shape(d)) != Answer::yes)
          inside = both(inside, i[d] < places.shape(d));
      const Expr place = counted(places(i.with(axis, k)), t.shape(axis));
      const Expr same = place == i[axis];
      return inside.defined() ? select(inside, same, constant(boolean, 0)) : same;
    };
    const auto update = [&](const Indices& i) { return values(i.with(axis, k)); };
    return scattered(t, mixing, {k}, matches, update, n.emitter().where());
  };
  return {n.emitter().emit_te("scatter_elements", scatter, x, indices, updates)};
}

// The update at (k.., rest) is for the element at (indices(k.., :), rest).
Values scatter_nd(Node& n) {
  const Value x = n.in(0), indices = n.in(1), updates = n.in(2);
  const Mixing mixing = mixing_of(n);
  const int outer = n.rank(indices) - 1;
  const auto count = outer < 0 ? std::nullopt : constant_dim(n.dims(indices).at(-1));
  if (!count || *count > n.rank(x) || n.rank(updates) != outer + n.rank(x) - int(*count))
    throw n.refused("the indices do not fit the operand");
  const auto scatter = [&](const Tensor& t, const Tensor& places, const Tensor& values) {
    std::vector<Axis> over;
    Indices k;
    for (int d = 0; d < outer; ++d) {
      over.push_back(reduce_axis(places.shape(d), fmt::format("k{}", d)));
      k.push_back(over.back());
    }
    if (over.empty()) {
      over.push_back(reduce_axis(1, "k"));
    }
    const auto matches = [&](const Indices& i) {
      Expr all = constant(boolean, 1);
      for (int c = 0; c < int(*count); ++c)
        all = both(all, counted(places(k.appended({Expr(std::int64_t(c))})), t.shape(c)) == i[c]);
      return all;
    };
    const auto update = [&](const Indices& i) { return values(k.appended(i.from(int(*count)))); };
    return scattered(t, mixing, over, matches, update, n.emitter().where());
  };
  return {n.emitter().emit_te("scatter_nd", scatter, x, indices, updates)};
}

// A cache of places on an axis. Writes new ones from some place on, perhaps around the end.
Values tensor_scatter(Node& n) {
  const Value cache = n.in(0), update = n.in(1);
  const int axis = int(n.axis(n.integer("axis", -2), n.rank(cache)));
  const bool circular = n.text("mode", "linear") == "circular";
  const Value starts =
      n.has(2) ? n.cast(n.in(2), i64) : n("full", {}, FullAttributes{{n.dims(cache)[0]}, 0, i64});
  const auto scatter = [&](const Tensor& t, const Tensor& values, const Tensor& start) {
    return compute(
        t.shape(),
        [&](const Indices& i) {
          const Expr distance = i[axis] - start(i[0]);
          const Expr place = circular ? distance % t.shape(axis) : distance;
          return select(both(place >= 0, place < values.shape(axis)), values(i.with(axis, place)),
                        t(i));
        },
        "tensor_scatter", n.emitter().where());
  };
  return {n.emitter().emit_te("tensor_scatter", scatter, cache, update, starts)};
}

constexpr Row scatter_table[] = {
    {"Scatter", scatter_elements, 9},
    {"ScatterElements", scatter_elements, 11},
    {"ScatterND", scatter_nd, 11},
    {"TensorScatter", tensor_scatter, 24},
};

}  // namespace

std::span<const Row> scatter_rows() { return scatter_table; }

}  // namespace strata::graph::onnx
