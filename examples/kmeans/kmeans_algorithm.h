// A step of k-means, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kmeans_example {

// P points with D coordinates, C centres: x(d, p) is coordinate d of point p, m(c, d) of centre c.
//     distance(p, c) = sum_d (x(d, p) - m(c, d))^2
//     nearest(p)     = the least distance of p; label(p) its centre
//     total(c, d)    = the sum of x(d, p) over the points p with label c; count(c) their number
//     centre(c, d)   = total(c, d) / count(c), or m(c, d) for a centre without points
// Each block of points has its own totals and counts, so that blocks may run at the same time.
struct Kmeans {
  static constexpr std::int64_t block = 4096;

  strata::Function function{"kmeans"};
  strata::Param P = function.param("P"), C = function.param("C"), D = function.param("D");
  strata::Expr blocks = (P + (block - 1)) / block;
  strata::Var p{"p", 0, P}, c{"c", 0, C}, d{"d", 0, D}, g{"g", 0, blocks};
  strata::Input x = function.input("x", strata::f32, {D, P});
  strata::Input m = function.input("m", strata::f32, {C, D});
  strata::Expr difference = x(d, p) - m(c, d);
  strata::Computation distance =
      function.computation("distance", {p, c}, sum(d, difference* difference));
  strata::Computation nearest =
      function.computation({"nearest", "label"}, {p}, argmin(c, distance(p, c)));
  strata::Computation label = nearest.component(1);
  strata::Expr to = clamp(label(p), 0, C - 1);
  strata::Computation part =
      function.computation("part", {g, c, d}, strata::constant(strata::f32, 0));
  strata::Computation number =
      function.computation("number", {g, c}, strata::constant(strata::i32, 0));
  strata::Computation add =
      part.update({p, d}, {p / block, to, d}, part(p / block, to, d) + x(d, p));
  strata::Computation add_one = number.update({p}, {p / block, to}, number(p / block, to) + 1);
  strata::Computation total = function.computation("total", {c, d}, sum(g, part(g, c, d)));
  strata::Computation count = function.computation("count", {c}, sum(g, number(g, c)));
  strata::Computation centre = function.computation(
      "centre", {c, d},
      select(count(c) > 0, total(c, d) / cast(strata::f32, max(count(c), 1)), m(c, d)));

  examples::Scheduled with_arguments() const {
    return {function, {x.buffer(), m.buffer(), label.buffer(), centre.buffer()}};
  }
};

// As many vectors of points as hide the time of a multiply-add find their centres together; their
// distances to one centre are neighbours. Blocks of points run in parallel, in the scatters too.
inline examples::Scheduled scheduled() {
  const strata::Machine m = strata::machine();
  Kmeans k;
  strata::Var p0("p0"), p1("p1"), block("block");
  const std::int64_t width = m.fma_latency * m.lanes(strata::f32);
  k.nearest.split(k.p, width, p0, p1);
  k.distance.compute_at(k.nearest, p0);
  k.distance.store_in({k.c, k.p});
  k.distance.vectorize(k.p);
  k.nearest.interchange(p1, k.c);
  k.nearest.vectorize(p1);
  k.nearest.split(p0, Kmeans::block / width, block, p0);
  k.nearest.parallelize(block);
  k.add.split(k.p, Kmeans::block, block, k.p);
  k.add_one.split(k.p, Kmeans::block, block, k.p);
  k.add.parallelize(block);
  k.add_one.parallelize(block);
  return k.with_arguments();
}

}  // namespace kmeans_example
