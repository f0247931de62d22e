// Recurrent networks, one step after another.
//
// X (steps, b, k), W (directions, gates n, k), R (directions, gates n, n), B (directions, 2 gates
// n). One product for all steps computes what the inputs add to the gates.
#include <fmt/format.h>

#include <optional>
#include <tuple>

#include "graph/onnx/loop.h"
#include "graph/onnx/rows.h"

namespace strata::graph::onnx {

namespace {

// More steps become a loop.
constexpr std::int64_t most_steps = 64;

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
  struct Parts {
    Value from_inputs, recurrent, recurrent_bias;  // recurrent_bias may be undefined
  };
  Direction(Node& n, int number, int gates, const Parts& parts)
      : n_(n),
        number_(number),
        gates_(gates),
        units_(constant_dim(n.dims(parts.recurrent)[1]).value_or(0)),
        parts_(parts) {}

  // What the inputs of all steps add to the gates, and the weights of the states.
  static Parts parts_of(Node& n, int number, int gates, const Value& x) {
    Parts parts;
    parts.recurrent = row_of(n, n.in(2), number);
    parts.from_inputs = n("matmul", {x, row_of(n, n.in(1), number)}, MatmulAttributes{false, true});
    if (!n.has(3)) return parts;
    const Value bias = row_of(n, n.in(3), number);
    const std::int64_t half = gates * units(n);
    parts.from_inputs = plus(n, parts.from_inputs, slice_of(n, bias, 0, 0, half));
    parts.recurrent_bias = slice_of(n, bias, 0, half, 2 * half);
    return parts;
  }

  static std::int64_t units(Node& n) {
    const auto units = constant_dim(n.dims(n.in(2)).at(-1));
    if (!units) throw n.unsupported("the number of units is not known");
    return *units;
  }

  std::int64_t number() const { return number_; }
  std::int64_t units() const { return units_; }

  // What the inputs of a step add to each gate, (b, n), and what a state adds.
  Values inputs_at(const Value& step) {
    return split(n_("take", {parts_.from_inputs, step}, TakeAttributes{0, "error"}));
  }
  Values of_state(const Value& h) {
    Value product = n_("matmul", {h, parts_.recurrent}, MatmulAttributes{false, true});
    if (parts_.recurrent_bias.defined()) product = plus(n_, product, parts_.recurrent_bias);
    return split(product);
  }
  // What another state adds to one gate.
  Value of_state(const Value& h, std::int64_t gate) {
    const std::int64_t begin = gate * units_, end = begin + units_;
    const Value weights = slice_of(n_, parts_.recurrent, 0, begin, end);
    const Value product = n_("matmul", {h, weights}, MatmulAttributes{false, true});
    return parts_.recurrent_bias.defined()
               ? plus(n_, product, slice_of(n_, parts_.recurrent_bias, 0, begin, end))
               : product;
  }

  // Applies activation k of this direction; each direction has "count" of them.
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
  Values split(const Value& x) {
    if (gates_ == 1) return {x};
    return n_.all("split", {x}, SplitAttributes{gates_, {}, 1});
  }

  Node& n_;
  int number_;
  std::int64_t gates_, units_;
  Parts parts_;
};

// Computes the next states of a cell: h, and perhaps c.
using Step = Values (*)(Node&, Direction&, const Value& step, const Values& state);

// After the end of its sequence a batch keeps its state, or gets zeros.
Value kept(Node& n, const Value& next, const Value& before, const Value& step) {
  if (!n.has(4)) return next;
  const Value is_inside =
      n("expand_dims", {n("greater", {n.cast(n.in(4), i64), step})}, NewAxesAttributes{1, 1});
  return n("where", {is_inside, next, before.defined() ? before : n.scalar(n.type(next), 0)});
}

// The output of one step, and the next states.
std::pair<Value, Values> stepped(Node& n, Direction& d, Step step, const Value& at,
                                 const Values& state) {
  Values next = step(n, d, at, state);
  const Value output = kept(n, next[0], Value(), at);
  for (std::size_t k = 0; k < next.size(); ++k) next[k] = kept(n, next[k], state[k], at);
  return {output, next};
}

class Network {
 public:
  Network(Node& n, int gates, std::size_t states, Step step)
      : n_(n), gates_(gates), states_(states), step_(step) {
    const bool batches_first = n.flag("layout", false);
    x_ = batches_first ? n.transpose(n.in(0), {1, 0, 2}) : n.in(0);
    count_ = constant_dim(n.dims(x_)[0]);
    if (count_ && *count_ < 1) throw n.unsupported("there are no steps");
  }

  Values results() {
    const std::string direction = n_.text("direction", "forward");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
      throw n_.refused("direction is \"" + direction + "\"");
    const int directions = direction == "bidirectional" ? 2 : 1;
    Values sequences;
    std::vector<Values> last(states_);
    for (int d = 0; d < directions; ++d) {
      const bool backward = direction == "reverse" || d == 1;
      const bool is_short = count_ && *count_ <= most_steps;
      const Values state =
          is_short ? unrolled(d, backward, sequences) : looped(d, backward, sequences);
      for (std::size_t s = 0; s < states_; ++s) last[s].push_back(state[s]);
    }
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
  Values initial(int direction) {
    Values states;
    for (std::size_t k = 0; k < states_; ++k) states.push_back(initial(k, direction));
    return states;
  }
  Value initial(std::size_t state, int direction) {
    const int operand = 5 + int(state);
    if (!n_.has(operand))
      return n_("full", {}, FullAttributes{{n_.dims(x_)[1], Direction::units(n_)}, 0, n_.type(x_)});
    const Value given =
        n_.flag("layout", false) ? n_.transpose(n_.in(operand), {1, 0, 2}) : n_.in(operand);
    return row_of(n_, given, direction);
  }

  Values unrolled(int number, bool backward, Values& sequences) {
    Direction d(n_, number, gates_, Direction::parts_of(n_, number, gates_, x_));
    Values state = initial(number), outputs;
    outputs.resize(std::size_t(*count_));
    for (std::int64_t k = 0; k < *count_; ++k) {
      const std::int64_t at = backward ? *count_ - 1 - k : k;
      std::tie(outputs[std::size_t(at)], state) =
          stepped(n_, d, step_, n_.scalar(i64, double(at)), state);
    }
    sequences.push_back(n_("stack", outputs, FirstAxisAttributes{0}));
    return state;
  }

  Values looped(int number, bool backward, Values& sequences) {
    const Direction::Parts parts = Direction::parts_of(n_, number, gates_, x_);
    const Expr length = n_.dims(x_)[0];
    LoopForm form{"recurrent", initial(number), {parts.from_inputs, parts.recurrent}, 1, {}};
    const bool has_bias = parts.recurrent_bias.defined();
    if (has_bias) form.others.push_back(parts.recurrent_bias);
    for (const int operand : {4, 7})
      if (n_.has(operand)) form.others.push_back(n_.in(operand));
    const Value count = n_.reshape(n_.emitter().value_of(known_dims({length})), {});
    form.others.push_back(count);
    form.body = [&](Emitter& inner, const Value& iteration, const Values& state,
                    const Values& others) {
      std::size_t next = 2;
      const Direction::Parts given{others[0], others[1], has_bias ? others[next++] : Value()};
      Values operands(8);
      for (const int operand : {4, 7})
        if (n_.has(operand)) operands[std::size_t(operand)] = others[next++];
      Node n = n_.inside(inner, operands);
      Direction d(n, number, gates_, given);
      Value at = iteration;
      if (backward)
        at = n("subtract", {n("subtract", {others.back(), n.scalar(i64, 1)}), iteration});
      auto [output, states] = stepped(n, d, step_, at, state);
      return std::pair(Values{n("expand_dims", {output}, NewAxesAttributes{0, 1})}, states);
    };
    const Shape row{n_.dims(x_)[1], Direction::units(n_)};
    const auto [rows, states] = emitted_loop(n_.emitter(), count, length, {row}, n_.type(x_), form);
    sequences.push_back(backward ? n_("reverse", {rows[0]}, AxesAttributes{{0}}) : rows[0]);
    return states;
  }

  Node& n_;
  int gates_;
  std::size_t states_;
  Step step_;
  Value x_;
  std::optional<std::int64_t> count_;
};

// f(x W' + h R' + b)
Values rnn_step(Node& n, Direction& d, const Value& step, const Values& state) {
  const Value sum = plus(n, d.inputs_at(step)[0], d.of_state(state[0])[0]);
  return {d.activated(sum, 0, 1, "Tanh")};
}

// Gates update, reset, hidden: h' = (1 - z) g + z h.
Values gru_step(Node& n, Direction& d, const Value& step, const Values& state) {
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
Values lstm_step(Node& n, Direction& d, const Value& step, const Values& state) {
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
