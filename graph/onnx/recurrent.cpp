// Recurrent networks, a step after the other.
//
// X (steps, b, k), W (directions, gates n, k), R (directions, gates n, n), B (directions, 2 gates
// n). What the inputs add to the gates is one product for all steps.
#include <fmt/format.h>

#include "graph/onnx/rows.h"

namespace strata::graph::onnx {

namespace {

constexpr std::int64_t most_steps = 2048;

Value slice_of(Node& n, const Value& x, std::int64_t axis, std::int64_t begin, std::int64_t end) {
  return n("strided_slice", {x}, StridedSliceAttributes{{begin}, {end}, {1}, {axis}});
}
Value row_of(Node& n, const Value& x, std::int64_t row) {
  return n("take", {x, n.scalar(i64, double(row))}, TakeAttributes{0, "error"});
}
Value plus(Node& n, const Value& a, const Value& b) { return n("add", {a, b}); }
Value times(Node& n, const Value& a, const Value& b) { return n("multiply", {a, b}); }

// One direction of a network.
class Direction {
 public:
  Direction(Node& n, int number, int gates, const Value& x)
      : n_(n), number_(number), gates_(gates), units_(units(n)) {
    recurrent_ = row_of(n, n.in(2), number);
    Value bias = n.has(3) ? row_of(n, n.in(3), number) : Value();
    from_inputs_ = n("matmul", {x, row_of(n, n.in(1), number)}, MatmulAttributes{false, true});
    if (!bias.defined()) return;
    const std::int64_t half = gates * units_;
    from_inputs_ = plus(n, from_inputs_, slice_of(n, bias, 0, 0, half));
    recurrent_bias_ = slice_of(n, bias, 0, half, 2 * half);
  }

  static std::int64_t units(Node& n) {
    const auto units = constant_dim(n.dims(n.in(2)).at(-1));
    if (!units) throw n.unsupported("the number of units is not known");
    return *units;
  }

  std::int64_t number() const { return number_; }
  std::int64_t units() const { return units_; }
  const Value& recurrent_bias() const { return recurrent_bias_; }

  // What the inputs of a step, and a state, add to each gate: (b, n) each.
  Values inputs_at(std::int64_t step) { return parts(row_of(n_, from_inputs_, step)); }
  Values of_state(const Value& h) {
    Value product = n_("matmul", {h, recurrent_}, MatmulAttributes{false, true});
    if (recurrent_bias_.defined()) product = plus(n_, product, recurrent_bias_);
    return parts(product);
  }
  // The same for one gate, of another state.
  Value of_state(const Value& h, std::int64_t gate) {
    const std::int64_t begin = gate * units_, end = begin + units_;
    const Value weights = slice_of(n_, recurrent_, 0, begin, end);
    const Value product = n_("matmul", {h, weights}, MatmulAttributes{false, true});
    return recurrent_bias_.defined()
               ? plus(n_, product, slice_of(n_, recurrent_bias_, 0, begin, end))
               : product;
  }

  // Activation k of this direction, of "count" that each has.
  Value activated(Value x, std::size_t k, std::size_t count, const char* usual) {
    if (n_.has("clip")) {
      const double bound = n_.real("clip", 0);
      x = n_("clip", {x}, ClipAttributes{-bound, bound});
    }
    const std::vector<std::string> names = n_.texts("activations");
    const std::size_t place = std::size_t(number_) * count + k;
    const std::string name = place < names.size() ? names[place] : usual;
    if (n_.has("activation_alpha") || n_.has("activation_beta"))
      throw n_.unsupported("there are constants of activations");
    static const std::map<std::string, std::string> known = {
        {"Sigmoid", "sigmoid"},          {"Tanh", "tanh"},           {"Relu", "relu"},
        {"Softsign", "softsign"},        {"Softplus", "softplus"},   {"Elu", "elu"},
        {"HardSigmoid", "hard_sigmoid"}, {"LeakyRelu", "leaky_relu"}};
    const auto found = known.find(name);
    if (found == known.end()) throw n_.unsupported("the activation is \"" + name + "\"");
    return n_(found->second, {x});
  }

 private:
  Values parts(const Value& x) {
    if (gates_ == 1) return {x};
    return n_.all("split", {x}, SplitAttributes{gates_, {}, 1});
  }

  Node& n_;
  int number_;
  std::int64_t gates_, units_;
  Value recurrent_, recurrent_bias_, from_inputs_;
};

// The states of a cell: h, and perhaps c.
using Step = Values (*)(Node&, Direction&, std::int64_t step, const Values& state);

class Network {
 public:
  Network(Node& n, int gates, std::size_t states, Step step)
      : n_(n), gates_(gates), states_(states), step_(step) {
    const bool batches_first = n.flag("layout", false);
    x_ = batches_first ? n.transpose(n.in(0), {1, 0, 2}) : n.in(0);
    const auto steps = constant_dim(n.dims(x_)[0]);
    if (!steps) throw n.unsupported("the number of steps is not known; bind it");
    if (*steps > most_steps)
      throw n.unsupported(fmt::format("there are more than {} steps", most_steps));
    count_ = *steps;
  }

  Values results() {
    const std::string direction = n_.text("direction", "forward");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
      throw n_.refused("direction is \"" + direction + "\"");
    const int directions = direction == "bidirectional" ? 2 : 1;
    Values sequences;
    std::vector<Values> last(states_);
    for (int d = 0; d < directions; ++d) run(d, direction == "reverse" || d == 1, sequences, last);
    Values results;
    const bool batches_first = n_.flag("layout", false);
    // (steps, directions, b, n)
    const Value y = n_("stack", sequences, FirstAxisAttributes{1});
    results.push_back(batches_first ? n_.transpose(y, {2, 0, 1, 3}) : y);
    for (const Values& state : last)
      results.push_back(n_("stack", state, FirstAxisAttributes{batches_first ? 1 : 0}));
    return results;
  }

 private:
  Value initial(std::size_t state, int direction) {
    const int operand = 5 + int(state);
    if (!n_.has(operand))
      return n_("full", {}, FullAttributes{{n_.dims(x_)[1], Direction::units(n_)}, 0, n_.type(x_)});
    const Value given =
        n_.flag("layout", false) ? n_.transpose(n_.in(operand), {1, 0, 2}) : n_.in(operand);
    return row_of(n_, given, direction);
  }

  void run(int number, bool backward, Values& sequences, std::vector<Values>& last) {
    Direction d(n_, number, gates_, x_);
    Values state, outputs;
    outputs.resize(std::size_t(count_));
    for (std::size_t k = 0; k < states_; ++k) state.push_back(initial(k, number));
    for (std::int64_t k = 0; k < count_; ++k) {
      const std::int64_t step = backward ? count_ - 1 - k : k;
      const Values next = step_(n_, d, step, state);
      outputs[std::size_t(step)] = kept(next[0], Value(), step);
      for (std::size_t s = 0; s < states_; ++s) state[s] = kept(next[s], state[s], step);
    }
    if (outputs.empty()) throw n_.unsupported("there are no steps");
    sequences.push_back(n_("stack", outputs, FirstAxisAttributes{0}));
    for (std::size_t s = 0; s < states_; ++s) last[s].push_back(state[s]);
  }

  // After the end of its sequence a batch keeps what was, or has zeros.
  Value kept(const Value& next, const Value& before, std::int64_t step) {
    if (!n_.has(4)) return next;
    const Value is_inside =
        n_("expand_dims", {n_("greater", {n_.cast(n_.in(4), i64), n_.scalar(i64, double(step))})},
           NewAxesAttributes{1, 1});
    return n_("where", {is_inside, next, before.defined() ? before : n_.scalar(n_.type(next), 0)});
  }

  Node& n_;
  int gates_;
  std::size_t states_;
  Step step_;
  Value x_;
  std::int64_t count_ = 0;
};

// f(x W' + h R' + b)
Values rnn_step(Node& n, Direction& d, std::int64_t step, const Values& state) {
  const Value sum = plus(n, d.inputs_at(step)[0], d.of_state(state[0])[0]);
  return {d.activated(sum, 0, 1, "Tanh")};
}

// Gates update, reset, hidden: h' = (1 - z) g + z h.
Values gru_step(Node& n, Direction& d, std::int64_t step, const Values& state) {
  const Value& h = state[0];
  const Values x = d.inputs_at(step), r = d.of_state(h);
  const Value update = d.activated(plus(n, x[0], r[0]), 0, 2, "Sigmoid");
  const Value reset = d.activated(plus(n, x[1], r[1]), 0, 2, "Sigmoid");
  const Value hidden = n.flag("linear_before_reset", false) ? times(n, reset, r[2])
                                                            : d.of_state(times(n, reset, h), 2);
  const Value fresh = d.activated(plus(n, x[2], hidden), 1, 2, "Tanh");
  const Value rest = n("subtract", {n.scalar(n.type(h), 1), update});
  return {plus(n, times(n, rest, fresh), times(n, update, h))};
}

// Gates input, output, forget, cell; with peepholes the gates see the cell's state.
Values lstm_step(Node& n, Direction& d, std::int64_t step, const Values& state) {
  const Values x = d.inputs_at(step), r = d.of_state(state[0]);
  const auto gate = [&](std::size_t k, std::int64_t peephole, const Value& c) {
    Value sum = plus(n, x[k], r[k]);
    if (n.has(7) && peephole >= 0) {
      const Value weights = slice_of(n, row_of(n, n.in(7), d.number()), 0, peephole * d.units(),
                                     (peephole + 1) * d.units());
      sum = plus(n, sum, times(n, weights, c));
    }
    return k == 3 ? d.activated(sum, 1, 3, "Tanh") : d.activated(sum, 0, 3, "Sigmoid");
  };
  const Value& c = state[1];
  const Value input = gate(0, 0, c);
  const Value forget = n.flag("input_forget", false)
                           ? n("subtract", {n.scalar(n.type(c), 1), input})
                           : gate(2, 2, c);
  const Value cell = plus(n, times(n, forget, c), times(n, input, gate(3, -1, c)));
  const Value output = gate(1, 1, cell);
  return {times(n, output, d.activated(cell, 2, 3, "Tanh")), cell};
}

constexpr Row recurrent_table[] = {
    {"GRU", [](Node& n) { return Network(n, 3, 1, gru_step).results(); }, 7},
    {"LSTM", [](Node& n) { return Network(n, 4, 2, lstm_step).results(); }, 7},
    {"RNN", [](Node& n) { return Network(n, 1, 1, rnn_step).results(); }, 7},
};

}  // namespace

std::span<const Row> recurrent_rows() { return recurrent_table; }

}  // namespace strata::graph::onnx
