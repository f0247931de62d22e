// Attention, softmax(Q K^T / sqrt(D)) V, which never stores all scores, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace attention_example {

// For N queries, keys and values of D numbers each:
//     score(i, j)  = sum_d q(i, d) k(j, d) / sqrt(D)
//     weight(i, j) = e^(score(i, j) - most(i)),   most(i) = max_j score(i, j)
//     out(i, e)    = sum_j weight(i, j) v(j, e) / total(i),   total(i) = sum_j weight(i, j)
// "keys" is a copy of k, so that its numbers of one d can be neighbours.
struct Attention {
  strata::Function function{"attention"};
  strata::Param N = function.param("N"), D = function.param("D");
  strata::Var i{"i", 0, N}, j{"j", 0, N}, d{"d", 0, D}, e{"e", 0, D};
  strata::Input q = function.input("q", strata::f32, {N, D});
  strata::Input k = function.input("k", strata::f32, {N, D});
  strata::Input v = function.input("v", strata::f32, {N, D});
  strata::Computation keys = function.computation("keys", {j, d}, k(j, d));
  strata::Computation dots = function.computation("dots", {i, j}, sum(d, q(i, d) * keys(j, d)));
  strata::Computation score =
      function.computation("score", {i, j}, dots(i, j) / sqrt(cast(strata::f32, D)));
  strata::Computation most = function.computation("most", {i}, maximum(j, score(i, j)));
  strata::Computation weight = function.computation("weight", {i, j}, exp(score(i, j) - most(i)));
  strata::Computation total = function.computation("total", {i}, sum(j, weight(i, j)));
  strata::Computation sums = function.computation("sums", {i, e}, sum(j, weight(i, j) * v(j, e)));
  strata::Computation out = function.computation("out", {i, e}, sums(i, e) / total(i));

  examples::Scheduled with_arguments() const {
    return {function, {q.buffer(), k.buffer(), v.buffer(), out.buffer()}};
  }
};

// A block of as many queries as a product has rows in registers computes its scores, block x N, and
// overwrites them by its weights. Both products are made in register tiles.
inline examples::Scheduled scheduled() {
  using strata::Var;
  const strata::Machine m = strata::machine();
  const int lanes = m.lanes(strata::f32);
  const auto [rows, columns] = m.product_tile(strata::f32);
  Attention a;
  Var i0("i0"), e0("e0"), i1("i1"), e1("e1"), j0("j0"), j1("j1"), lane("lane");

  a.most.split(a.j, lanes, a.j, lane);
  strata::Computation most_of = a.most.rfactor(lane, "most_of");
  most_of.vectorize(lane);
  most_of.compute_at(a.most, a.i);
  a.total.split(a.j, lanes, a.j, lane);
  strata::Computation total_of = a.total.rfactor(lane, "total_of");
  total_of.vectorize(lane);
  total_of.compute_at(a.total, a.i);

  a.out.tile(a.i, a.e, rows, columns, i0, e0, i1, e1);
  a.sums.compute_at(a.out, e0);
  a.total.compute_at(a.out, i0);
  a.weight.compute_at(a.out, i0);
  a.most.compute_at(a.out, i0);
  a.score.compute_at(a.out, i0);
  a.score.store_in({a.i, a.j});
  a.weight.store_in(a.score.buffer());

  a.sums.interchange(a.e, a.j).interchange(a.i, a.j);
  a.sums.vectorize(a.e, lanes, a.e, lane).mask(lane).unroll(a.e).guard(a.e).unroll(a.i).guard(a.i);

  a.score.split(a.j, columns, j0, j1).interchange(a.i, j0);
  a.dots.compute_at(a.score, j0);
  a.dots.interchange(a.j, a.d).interchange(a.i, a.d);
  a.dots.vectorize(a.j, lanes, a.j, lane).mask(lane).unroll(a.j).guard(a.j).unroll(a.i).guard(a.i);
  a.keys.store_in({a.d, a.j});
  a.score.vectorize(j1, lanes);

  a.weight.vectorize(a.j, lanes);
  a.out.vectorize(e1, lanes);
  a.out.parallelize(i0);
  return a.with_arguments();
}

}  // namespace attention_example
