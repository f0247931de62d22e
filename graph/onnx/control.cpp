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
      e.change_scope();
      const Values values = e.bound(n.import_graph(graph, {}));
      e.change_scope();
      if (values.empty()) throw n.refused("a branch has no output");
      return values.size() == 1 ? values[0] : tuple_value(values, e.where());
    };
  };
  Value condition = e.bound(n.in(0));
  if (n.rank(condition) == 1) condition = e.builder().emit(call("squeeze", {condition}), e.where());
  return e.fields(e.builder().emit_branch(condition, body(then), body(otherwise), e.where()));
}

// Puts the operators of a node with graphs into a block of their own.
template <typename F>
Values in_block(Emitter& e, const F& f) {
  e.begin_block();
  Values values = f();
  for (Value& value : values) value = e.seen_outside(value);
  e.end_block();
  return values;
}

std::int64_t item(const Integers& list, std::size_t k) { return k < list.size() ? list[k] : 0; }

// The results of the iterations as sequences along the axes; some go from the last iteration to the
// first.
Values stacked(Node& n, const std::vector<Values>& made, const Integers& axes,
               const Integers& reversed) {
  return in_block(n.emitter(), [&] {
    Values all;
    for (std::size_t s = 0; !made.empty() && s < made[0].size(); ++s) {
      Values items;
      for (const Values& one : made) items.push_back(one.at(s));
      if (item(reversed, s) != 0) std::reverse(items.begin(), items.end());
      all.push_back(n("stack", items, FirstAxisAttributes{item(axes, s)}));
    }
    return all;
  });
}

// Divides the outputs of a body from "begin" on into the next states and the results of this
// iteration.
void divide_outputs(const Node& n, const Values& outputs, std::size_t begin, Values& states,
                    std::vector<Values>& made) {
  if (outputs.size() < begin + states.size()) throw n.refused("the body has too few outputs");
  const auto first = outputs.begin() + std::ptrdiff_t(begin);
  const auto rest = first + std::ptrdiff_t(states.size());
  states.assign(first, rest);
  made.emplace_back(rest, outputs.end());
}

bool is_true(Node& n, const Value& condition) {
  const KnownRef known = n.emitter().find_known(condition);
  if (!known || known->elements.size() != 1 || known->elements[0].op() != Op::constant)
    throw n.unsupported("its condition is computed when the model runs");
  return known->elements[0].node().integer != 0;
}

// Imports one iteration after another, as long as the condition holds. The number of iterations and
// the condition must be known.
Values loop(Node& n) {
  const GraphProto& body = n.graph("body");
  const std::int64_t most = n.has(0) ? n.numbers(0).at(0) : most_iterations + 1;
  if (n.count() < 2) throw n.refused("there are less than two operands");
  Values states(n.inputs().begin() + 2, n.inputs().end());
  bool goes_on = !n.has(1) || n.number(1) != 0;
  std::vector<Values> made;
  for (std::int64_t k = 0; k < most && goes_on; ++k) {
    if (k == most_iterations)
      throw n.unsupported(fmt::format("there are more than {} iterations", most_iterations));
    Values inputs{n.scalar(i64, double(k)), n.scalar(boolean, 1)};
    inputs.insert(inputs.end(), states.begin(), states.end());
    const Values outputs = n.import_graph(body, inputs);
    divide_outputs(n, outputs, 1, states, made);
    goes_on = is_true(n, outputs[0]);
  }
  if (made.empty() && n.outputs() > int(states.size()))
    throw n.unsupported("there is no iteration");
  const Values sequences = stacked(n, made, {}, {});
  states.insert(states.end(), sequences.begin(), sequences.end());
  return states;
}

// The sequences that a Scan reads, slice by slice.
class Slices {
 public:
  Slices(Node& n, std::size_t first) : n_(n), first_(first) {
    axes_ = n.integers("scan_input_axes");
    backward_ = n.integers("scan_input_directions");
    const auto steps = constant_dim(n.dims(n.in(int(first)))[int(axis(0))]);
    if (!steps || *steps > most_iterations || *steps < 1)
      throw n.unsupported("the number of steps is not known, or is 0 or large");
    steps_ = *steps;
  }

  std::int64_t steps() const { return steps_; }

  Values at(std::int64_t step) {
    return in_block(n_.emitter(), [&] {
      Values slices;
      for (std::size_t k = 0; first_ + k < n_.inputs().size(); ++k) {
        const std::int64_t place = item(backward_, k) != 0 ? steps_ - 1 - step : step;
        slices.push_back(n_("take", {n_.in(int(first_ + k)), n_.scalar(i64, double(place))},
                            TakeAttributes{axis(k), "error"}));
      }
      return slices;
    });
  }

 private:
  std::int64_t axis(std::size_t k) const {
    return n_.axis(item(axes_, k), n_.rank(n_.in(int(first_ + k))));
  }

  Node& n_;
  std::size_t first_;
  Integers axes_, backward_;
  std::int64_t steps_ = 0;
};

// Carries the states through the slices, and collects the results of each slice.
Values scan(Node& n) {
  const GraphProto& body = n.graph("body");
  const auto count = std::size_t(n.integer("num_scan_inputs"));
  if (count < 1 || count > n.inputs().size()) throw n.refused("num_scan_inputs does not fit");
  const std::size_t first = n.inputs().size() - count;
  Values states(n.inputs().begin(), n.inputs().begin() + std::ptrdiff_t(first));
  Slices slices(n, first);
  std::vector<Values> made;
  for (std::int64_t step = 0; step < slices.steps(); ++step) {
    Values inputs = states;
    for (const Value& slice : slices.at(step)) inputs.push_back(slice);
    divide_outputs(n, n.import_graph(body, inputs), 0, states, made);
  }
  const Values sequences =
      stacked(n, made, n.integers("scan_output_axes"), n.integers("scan_output_directions"));
  states.insert(states.end(), sequences.begin(), sequences.end());
  return states;
}

constexpr Row control_table[] = {
    {"If", if_node},
    {"Loop", loop},
    {"Scan", scan, 9},
};

}  // namespace

std::span<const Row> control_rows() { return control_table; }

}  // namespace strata::graph::onnx
