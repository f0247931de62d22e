// Cells of recurrent networks, and functions on whole arrays.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "graph/ops/ops.h"
#include "graph/ops/registry.h"
#include "graph/ops/writer.h"

namespace strata::graph {

namespace {

// Checks the operands of the gates of all units, (b, gates n): x w^T + h r^T + bias.
void require_cell(const Writer& op, const Tensor& x, const Tensor& h, const Tensor& w,
                  const Tensor& r, std::int64_t gates, const std::string& number) {
  op.require_rank("x", x, 2);
  op.require_rank("h", h, 2);
  op.require_rank("w", w, 2);
  op.require_rank("r", r, 2);
  op.require_equal("x", x, 0, "h", h, 0);
  op.require_equal("x", x, 1, "w", w, 1);
  op.require_equal("h", h, 1, "r", r, 1);
  op.require_equal("w", w, 0, "r", r, 0);
  if (graph::equal(w.shape(0), h.shape(1) * gates) != Answer::yes)
    throw op.refused(
        "w has " + dim_text(w.shape(0)) + " rows for " + dim_text(h.shape(1)) + " units",
        "give " + number + " for each unit");
}

}  // namespace

std::vector<Tensor> lstm_cell(const Tensor& x, const Tensor& h, const Tensor& c, const Tensor& w,
                              const Tensor& r, const Tensor& bias, const Where& where) {
  const Writer op("lstm_cell", where);
  require_cell(op, x, h, w, r, 4, "four");
  op.require_extents("bias", bias, "w", w, {0});
  op.require_extents("c", c, "h", h, {0, 1});
  const Expr n = h.shape(1);
  const Tensor from_x = dense(x, w, where), from_h = dense(h, r, where);
  const auto gate = [&](const Indices& i, std::int64_t number) {
    const Expr row = i[1] + n * number;
    return from_x(i[0], row) + from_h(i[0], row) + bias(row);
  };
  const Tensor next = op.compute(
      c.shape(),
      [&](const Indices& i) {
        return sigmoid_of(gate(i, 1)) * c(i) + sigmoid_of(gate(i, 0)) * strata::tanh(gate(i, 2));
      },
      "c");
  const Tensor out = op.compute(
      h.shape(), [&](const Indices& i) { return sigmoid_of(gate(i, 3)) * strata::tanh(next(i)); },
      "h");
  return {out, next};
}

Tensor gru_cell(const Tensor& x, const Tensor& h, const Tensor& w, const Tensor& r,
                const Tensor& bias, const Tensor& recurrent_bias, const Where& where) {
  const Writer op("gru_cell", where);
  require_cell(op, x, h, w, r, 3, "three");
  op.require_extents("bias", bias, "w", w, {0});
  op.require_extents("recurrent_bias", recurrent_bias, "w", w, {0});
  const Expr n = h.shape(1);
  const Tensor from_x = dense(x, w, where), from_h = dense(h, r, where);
  return op.compute(h.shape(), [&](const Indices& i) {
    const auto from_input = [&](std::int64_t g) {
      return from_x(i[0], i[1] + n * g) + bias(i[1] + n * g);
    };
    const auto from_state = [&](std::int64_t g) {
      return from_h(i[0], i[1] + n * g) + recurrent_bias(i[1] + n * g);
    };
    const Expr reset = sigmoid_of(from_input(0) + from_state(0));
    const Expr update = sigmoid_of(from_input(1) + from_state(1));
    const Expr fresh = strata::tanh(from_input(2) + reset * from_state(2));
    return (1 - update) * fresh + update * h(i);
  });
}

namespace {

// Calls f with a pointer to the elements, of their C++ type.
template <typename F>
auto with_elements(const NDArray& array, const F& f) {
  const strata_type type = array.type();
  std::byte* raw = array.raw();
  if (type.code == 2 && type.bits == 64) return f(reinterpret_cast<double*>(raw));
  if (type.code == 2 && type.bits == 32) return f(reinterpret_cast<float*>(raw));
  if (type.code == 0 && type.bits == 64) return f(reinterpret_cast<std::int64_t*>(raw));
  if (type.code == 0 && type.bits == 32) return f(reinterpret_cast<std::int32_t*>(raw));
  if (type.code == 0 && type.bits == 16) return f(reinterpret_cast<std::int16_t*>(raw));
  if (type.code == 0) return f(reinterpret_cast<std::int8_t*>(raw));
  if (type.bits == 64) return f(reinterpret_cast<std::uint64_t*>(raw));
  if (type.bits == 32) return f(reinterpret_cast<std::uint32_t*>(raw));
  if (type.bits == 16) return f(reinterpret_cast<std::uint16_t*>(raw));
  return f(reinterpret_cast<std::uint8_t*>(raw));
}

void require_sortable(const Writer& op, const Tensor& x) {
  if (is_half(x.type()))
    throw op.refused("x is of type " + to_string(x.type()), "cast it to float32");
}

// The lines of an array along an axis: element k of line l is at begin(l) + k stride.
struct Lines {
  std::size_t count = 1, length, stride = 1;
  Lines(const std::vector<std::int64_t>& extents, int axis) : length(std::size_t(extents[axis])) {
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (int(d) != axis) count *= std::size_t(extents[d]);
      if (int(d) > axis) stride *= std::size_t(extents[d]);
    }
  }
  std::size_t begin(std::size_t line) const {
    return line / stride * stride * length + line % stride;
  }
};

// The positions of a line's elements in order; NaN is the largest, also when descending.
template <typename T>
std::vector<std::int64_t> sorted(const T* line, const Lines& lines, bool descending) {
  std::vector<std::int64_t> order(lines.length);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    const T x = line[std::size_t(a) * lines.stride], y = line[std::size_t(b) * lines.stride];
    if (x != x || y != y) return x == x;
    return descending ? y < x : x < y;
  });
  return order;
}

// The first "kept" elements of each line in order, and their positions.
std::vector<NDArray> first_in_order(const NDArray& x, int axis, bool descending,
                                    std::int64_t kept) {
  std::vector<std::int64_t> extents = x.extents();
  const Lines from(extents, axis);
  extents[axis] = kept;
  const NDArray values(x.type(), extents), positions(strata_int(64), extents);
  const Lines to(extents, axis);
  with_elements(x, [&](const auto* elements) {
    auto* out = reinterpret_cast<std::remove_const_t<std::remove_pointer_t<decltype(elements)>>*>(
        values.raw());
    auto* at = positions.data<std::int64_t>();
    for (std::size_t line = 0; line < from.count; ++line) {
      const auto* first = elements + from.begin(line);
      const std::vector<std::int64_t> order = sorted(first, from, descending);
      for (std::size_t k = 0; k < to.length; ++k) {
        out[to.begin(line) + k * to.stride] = first[std::size_t(order[k]) * from.stride];
        at[to.begin(line) + k * to.stride] = order[k];
      }
    }
  });
  return {values, positions};
}

// Both results of a sort along an axis, of which "kept" elements stay.
std::vector<Tensor> ordered(const Writer& op, const Tensor& x, std::int64_t given, bool descending,
                            const Expr& kept) {
  require_sortable(op, x);
  const int axis = op.axis(given, x.rank());
  const Shape shape = x.shape().with(axis, kept);
  const ArrayFunction function = [axis, descending, kept](const std::vector<NDArray>& inputs) {
    const std::int64_t length = inputs[0].extents()[axis];
    return first_in_order(inputs[0], axis, descending, constant_dim(kept).value_or(length));
  };
  return external(op.name(), {{shape, x.type()}, {shape, i64}}, {x}, function, op.where());
}

}  // namespace

Tensor sort(const Tensor& x, const SortAttributes& a, const Where& where) {
  const Writer op("sort", where);
  return ordered(op, x, a.axis, a.descending, x.shape(op.axis(a.axis, x.rank())))[0];
}

Tensor argsort(const Tensor& x, const SortAttributes& a, const Where& where) {
  const Writer op("argsort", where);
  return ordered(op, x, a.axis, a.descending, x.shape(op.axis(a.axis, x.rank())))[1];
}

std::vector<Tensor> top_k(const Tensor& x, const TopKAttributes& a, const Where& where) {
  const Writer op("top_k", where);
  const auto length = constant_dim(x.shape(op.axis(a.axis, x.rank())));
  if (a.k < 0 || (length && a.k > *length))
    throw op.refused("k is " + std::to_string(a.k) + " on an axis of " +
                         dim_text(x.shape(op.axis(a.axis, x.rank()))),
                     "give a k from 0 to the extent");
  return ordered(op, x, a.axis, a.largest, constant(i64, a.k));
}

namespace {

std::vector<NDArray> different_elements(const std::vector<NDArray>& inputs) {
  const NDArray& x = inputs[0];
  return with_elements(x, [&](const auto* elements) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(elements)>>;
    std::vector<T> values(elements, elements + x.size());
    std::sort(values.begin(), values.end(), [](T a, T b) { return b != b ? a == a : a < b; });
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const NDArray result(x.type(), {std::int64_t(values.size())});
    std::copy(values.begin(), values.end(), reinterpret_cast<T*>(result.raw()));
    return std::vector<NDArray>{result};
  });
}

std::vector<NDArray> places_of_nonzeros(const std::vector<NDArray>& inputs) {
  const NDArray& x = inputs[0];
  std::vector<std::int64_t> places;
  with_elements(x, [&](const auto* elements) {
    for (std::size_t n = 0; n < x.size(); ++n)
      if (elements[n] != 0) places.push_back(std::int64_t(n));
  });
  const NDArray result(strata_int(64), {x.rank(), std::int64_t(places.size())});
  std::int64_t* out = result.data<std::int64_t>();
  for (int d = x.rank(); d-- > 0;)
    for (std::size_t n = 0; n < places.size(); ++n) {
      out[std::size_t(d) * places.size() + n] = places[n] % x.extents()[d];
      places[n] /= x.extents()[d];
    }
  return {result};
}

}  // namespace

Tensor unique(const Tensor& x, const Where& where) {
  require_sortable(Writer("unique", where), x);
  return external("unique", {{{fresh_symbol("unique")}, x.type()}}, {x}, different_elements,
                  where)[0];
}

Tensor nonzero(const Tensor& x, const Where& where) {
  require_sortable(Writer("nonzero", where), x);
  const Shape shape{std::int64_t(x.rank()), fresh_symbol("nonzero")};
  return external("nonzero", {{shape, i64}}, {x}, places_of_nonzeros, where)[0];
}

void register_sequences() {
  Registered("lstm_cell", {"x", "h", "c", "w", "r", "bias"}, lstm_cell);
  Registered("gru_cell", {"x", "h", "w", "r", "bias", "recurrent_bias"}, gru_cell);
  Registered("sort", {"x"}, sort);
  Registered("argsort", {"x"}, argsort);
  Registered("top_k", {"x"}, top_k);
  Registered("unique", {"x"}, unique);
  Registered("nonzero", {"x"}, nonzero);
}

}  // namespace strata::graph
