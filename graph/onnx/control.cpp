// Nodes with graphs inside.
#include <fmt/format.h>

#include <algorithm>

#include "graph/onnx/rows.h"

namespace strata::graph::onnx {

namespace {

constexpr std::int64_t most_iterations = 1000;

Values if_node(Node& n) {
  const GraphProto& then = n.graph("then_branch");
  const GraphProto& otherwise = n.graph("else_branch");
  Emitter& e = n.emitter();
  if (n.is_known(0)) return n.import_graph(n.number(0) != 0 ? then : otherwise, {});
  const auto body = [&](const GraphProto& graph) {
    return [&] {
      Values values = e.bound(n.import_graph(graph, {}));
      if (values.empty()) throw n.refused("a branch has no output");
      return values.size() == 1 ? values[0] : tuple_value(values, e.where());
    };
  };
  Value condition = e.bound(n.in(0));
  if (n.rank(condition) == 1) condition = e.builder().emit(call("squeeze", {condition}), e.where());
  return e.fields(e.builder().emit_branch(condition, body(then), body(otherwise), e.where()));
}

// Operators of a node with graphs stand in a block of their own.
template <typename F>
auto in_block(Emitter& e, const F& f) {
  e.begin_block();
  Values values = f();
  for (Value& value : values) value = e.seen_outside(value);
  e.end_block();
  return values;
}

// One iteration after the other, of a number that is known, as long as the condition holds, which
// must be known as well.
Values loop(Node& n) {
  const GraphProto& body = n.graph("body");
  Emitter& e = n.emitter();
  const std::int64_t most = n.has(0) ? n.numbers(0).at(0) : most_iterations + 1;
  Values carried(n.inputs().begin() + 2, n.inputs().end());
  bool goes_on = !n.has(1) || n.number(1) != 0;
  std::vector<Values> gathered;
  for (std::int64_t k = 0; k < most && goes_on; ++k) {
    if (k == most_iterations)
      throw n.unsupported(fmt::format("there are more than {} iterations", most_iterations));
    Values inputs{n.scalar(i64, double(k)), n.scalar(boolean, 1)};
    inputs.insert(inputs.end(), carried.begin(), carried.end());
    const Values results = n.import_graph(body, inputs);
    if (results.size() < carried.size() + 1) throw n.refused("the body has too few outputs");
    const KnownRef condition = e.find_known(results[0]);
    if (!condition || condition->elements.size() != 1 ||
        condition->elements[0].op() != Op::constant)
      throw n.unsupported("its condition is computed when the model runs");
    goes_on = condition->elements[0].node().integer != 0;
    std::copy(results.begin() + 1, results.begin() + 1 + std::ptrdiff_t(carried.size()),
              carried.begin());
    gathered.emplace_back(results.begin() + 1 + std::ptrdiff_t(carried.size()), results.end());
  }
  if (gathered.empty() && n.outputs() > int(carried.size()))
    throw n.unsupported("there is no iteration");
  const Values sequences = in_block(e, [&] {
    Values all;
    for (std::size_t s = 0; !gathered.empty() && s < gathered[0].size(); ++s) {
      Values items;
      for (const Values& one : gathered) items.push_back(one.at(s));
      all.push_back(n("stack", items, FirstAxisAttributes{0}));
    }
    return all;
  });
  carried.insert(carried.end(), sequences.begin(), sequences.end());
  return carried;
}

std::int64_t item(const Integers& list, std::size_t k) { return k < list.size() ? list[k] : 0; }

// The states, and the slices of sequences, one after the other.
Values scan(Node& n) {
  const GraphProto& body = n.graph("body");
  Emitter& e = n.emitter();
  const auto count = std::size_t(n.integer("num_scan_inputs"));
  if (count < 1 || count > n.inputs().size()) throw n.refused("num_scan_inputs does not fit");
  const std::size_t states = n.inputs().size() - count;
  Values state(n.inputs().begin(), n.inputs().begin() + std::ptrdiff_t(states));
  const Integers axes = n.integers("scan_input_axes"),
                 backward = n.integers("scan_input_directions");
  const auto axis = [&](std::size_t k) {
    const Value& x = n.inputs()[states + k];
    return n.axis(item(axes, k), n.rank(x));
  };
  const auto steps = constant_dim(n.dims(n.in(int(states)))[int(axis(0))]);
  if (!steps || *steps > most_iterations || *steps < 1)
    throw n.unsupported("the number of steps is not known, or is 0 or large");
  std::vector<Values> gathered;
  for (std::int64_t step = 0; step < *steps; ++step) {
    const Values slices = in_block(e, [&] {
      Values values;
      for (std::size_t k = 0; k < count; ++k) {
        const std::int64_t at = item(backward, k) != 0 ? *steps - 1 - step : step;
        values.push_back(n("take", {n.inputs()[states + k], n.scalar(i64, double(at))},
                           TakeAttributes{axis(k), "error"}));
      }
      return values;
    });
    Values inputs = state;
    inputs.insert(inputs.end(), slices.begin(), slices.end());
    const Values results = n.import_graph(body, inputs);
    if (results.size() < states) throw n.refused("the body has too few outputs");
    state.assign(results.begin(), results.begin() + std::ptrdiff_t(states));
    gathered.emplace_back(results.begin() + std::ptrdiff_t(states), results.end());
  }
  const Integers to = n.integers("scan_output_axes"),
                 reversed = n.integers("scan_output_directions");
  const Values sequences = in_block(e, [&] {
    Values all;
    for (std::size_t s = 0; s < gathered[0].size(); ++s) {
      Values items;
      for (const Values& one : gathered) items.push_back(one.at(s));
      if (item(reversed, s) != 0) std::reverse(items.begin(), items.end());
      all.push_back(n("stack", items, FirstAxisAttributes{item(to, s)}));
    }
    return all;
  });
  state.insert(state.end(), sequences.begin(), sequences.end());
  return state;
}

constexpr Row control_table[] = {
    {"If", if_node},
    {"Loop", loop},
    {"Scan", scan, 9},
};

}  // namespace

std::span<const Row> control_rows() { return control_table; }

}  // namespace strata::graph::onnx
