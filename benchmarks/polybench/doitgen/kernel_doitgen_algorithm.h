// A(r, q, p) = sum over s of A(r, q, s) C4(s, p), in place, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_doitgen_benchmark {

// The rows of a tile are copied; then tiles run through s together, with their sums in registers.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const Machine m = machine();
  const int lanes = m.lanes(f64);
  const auto [rows, columns] = m.product_tile(f64);
  Function f("kernel_doitgen");
  Param NQ = f.param("NQ"), NR = f.param("NR"), NP = f.param("NP");
  Var r("r", 0, NR), q("q", 0, NQ), p("p", 0, NP), s("s", 0, NP);
  Input a = f.input("A", f64, {NR, NQ, NP}), c4 = f.input("C4", f64, {NP, NP});
  Computation sums = f.computation("sums", {r, q, p}, sum(s, a(r, q, s) * c4(s, p)));
  Computation out = f.computation("out", {r, q, p}, sums(r, q, p));

  Var q0("q0"), p0("p0"), q1("q1"), p1("p1"), x("x"), y("y"), z("z"), lane("lane");
  out.tile(q, p, rows, columns, q0, p0, q1, p1);
  out.parallelize(r);
  sums.compute_at(out, p0);
  sums.interchange(p, s).interchange(q, s);
  sums.cache_at(q0, a, "rows", {x, y, z}).vectorize(z, lanes, z, lane).mask(lane);
  out.store_in(a.buffer());
  sums.vectorize(p, lanes, p, lane).mask(lane);
  sums.unroll(p).guard(p);
  sums.unroll(q).guard(q);
  out.vectorize(p1, lanes, p1, lane).separate(lane);
  out.unroll(p1).separate(p1);
  out.unroll(q1).separate(q1);
  return {f, {a.buffer(), c4.buffer()}};
}

}  // namespace kernel_doitgen_benchmark
