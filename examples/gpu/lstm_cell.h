// One step of a layer of LSTM cells, for a batch of sequences.
#pragma once

#include "examples/gpu/example.h"
#include "examples/lstm/cell.h"

namespace gpu_examples {

// With the gates q = input, forget, candidate, output:
//     gates(b, q, j) = bias(q, j) + sum over d of x(b, d) w(q, d, j) + h(b, d) r(q, d, j)
//     c'(b, j) = sigmoid(gates(b, 1, j)) c(b, j) + sigmoid(gates(b, 0, j)) tanh(gates(b, 2, j))
//     h'(b, j) = sigmoid(gates(b, 3, j)) tanh(c'(b, j))
//
// On the GPU a thread computes one cell of one sequence: its four gates stay in registers.
inline Scheduled lstm_cell(On on) {
  using namespace strata;
  using lstm_example::hyperbolic_tangent;
  using lstm_example::sigmoid;
  Function f(kernel("lstm_cell", on));
  Param B = f.param("B"), D = f.param("D");
  Var b("b", 0, B), q("q", 0, 4), j("j", 0, D), d("d", 0, D), i0("b0"), j0("j0"), i1("b1"),
      j1("j1");
  Input x = f.input("x", f32, {B, D}), h = f.input("h", f32, {B, D}), c = f.input("c", f32, {B, D});
  Input w = f.input("w", f32, {4, D, D}), r = f.input("r", f32, {4, D, D}),
        bias = f.input("bias", f32, {4, D});
  Computation gates =
      f.computation("gates", {b, q, j}, sum(d, x(b, d) * w(q, d, j) + h(b, d) * r(q, d, j)));
  const auto gate = [&](int n) { return gates(b, n, j) + bias(n, j); };
  Computation c_next =
      f.computation("c_next", {b, j},
                    sigmoid(gate(1)) * c(b, j) + sigmoid(gate(0)) * hyperbolic_tangent(gate(2)));
  Computation h_next =
      f.computation("h_next", {b, j}, sigmoid(gate(3)) * hyperbolic_tangent(c_next(b, j)));

  h_next.after(c_next, j);
  if (on == On::gpu) {
    c_next.gpu_tile(b, j, 4, 32, i0, j0, i1, j1);
    gates.compute_at(c_next, j1).interchange(q, d).unroll(q);
  } else {
    c_next.parallelize(b);
    gates.compute_at(c_next, b).interchange(j, d).vectorize(j, 8);
  }
  return {f,
          {x.buffer(), h.buffer(), c.buffer(), w.buffer(), r.buffer(), bias.buffer(),
           c_next.buffer(), h_next.buffer()}};
}

}  // namespace gpu_examples
