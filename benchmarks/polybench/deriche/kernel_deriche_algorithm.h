// Edge detection by a recursive filter along rows, then along columns, and its schedule.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_deriche_benchmark {

// Along each line y1 runs forward and y2 backward:
//     y1(j) = a1 x(j) + a2 x(j - 1) + b1 y1(j - 1) + b2 y1(j - 2)
//     y2(j) = a3 x(j + 1) + a4 x(j + 2) + b1 y2(j + 1) + b2 y2(j + 2)
// with zeros outside the line; the result of the line is their sum.
inline examples::Scheduled scheduled() {
  using namespace strata;
  const int lanes = machine().lanes(f64);
  Function f("kernel_deriche");
  Param W = f.param("W"), H = f.param("H");
  Var i("i", 0, W), j("j", 0, H), m("m", 0, H), l("l", 0, W);
  Input alpha = f.input("alpha", f64, {}), in = f.input("in", f64, {W, H});
  const auto scalar = [&](const char* name, const Expr& value) {
    return f.computation(name, {}, value);
  };
  Computation e = scalar("e", exp(-alpha)), e2 = scalar("e2", exp(-2.0 * alpha));
  Computation a1 = scalar("a1", (1.0 - e) * (1.0 - e) / (1.0 + 2.0 * alpha * e - e2));
  Computation a2 = scalar("a2", a1 * e * (alpha - 1.0)), a3 = scalar("a3", a1 * e * (alpha + 1.0));
  Computation a4 = scalar("a4", -a1 * e2), b1 = scalar("b1", pow(Expr(2.0), -alpha));
  Computation b2 = scalar("b2", -e2);
  const auto or_zero = [](const Expr& inside, const Expr& value) {
    return select(inside, value, 0.0);
  };

  Computation turned = f.computation("turned", {i, j}, in(i, j));
  Computation y1 = f.declare("y1", {i, j}, f64), y2 = f.declare("y2", {i, m}, f64);
  y1.define(a1 * turned(i, j) + or_zero(j >= 1, a2 * turned(i, j - 1) + b1 * y1(i, j - 1)) +
            or_zero(j >= 2, b2 * y1(i, j - 2)));
  y2.define(or_zero(m >= 1, a3 * turned(i, H - m) + b1 * y2(i, m - 1)) +
            or_zero(m >= 2, a4 * turned(i, H - m + 1) + b2 * y2(i, m - 2)));
  Computation rows = f.computation("rows", {i, j}, y1(i, j) + y2(i, H - 1 - j));
  Computation y3 = f.declare("y3", {i, j}, f64), y4 = f.declare("y4", {l, j}, f64);
  y3.define(a1 * rows(i, j) + or_zero(i >= 1, a2 * rows(i - 1, j) + b1 * y3(i - 1, j)) +
            or_zero(i >= 2, b2 * y3(i - 2, j)));
  y4.define(or_zero(l >= 1, a3 * rows(W - l, j) + b1 * y4(l - 1, j)) +
            or_zero(l >= 2, a4 * rows(W - l + 1, j) + b2 * y4(l - 2, j)));
  Computation out = f.computation("out", {i, j}, y3(i, j) + y4(W - 1 - i, j));

  Var i0("i0"), j0("j0"), lane("lane");
  rows.split(i, lanes, i0, lane)
      .interchange(lane, j)
      .vectorize(lane)
      .separate(lane)
      .parallelize(i0);
  y1.compute_at(rows, i0).interchange(i, j).vectorize(i, lanes).store_in({j, i});
  y2.compute_at(rows, i0).interchange(i, m).vectorize(i, lanes).store_in({m, i});
  turned.compute_at(rows, i0).store_in({j, i});
  out.split(j, 2 * lanes, j0, lane)
      .interchange(i, j0)
      .vectorize(lane)
      .separate(lane)
      .parallelize(j0);
  y3.compute_at(out, j0).vectorize(j, 2 * lanes);
  y4.compute_at(out, j0).vectorize(j, 2 * lanes);
  return {f, {alpha.buffer(), in.buffer(), out.buffer()}};
}

}  // namespace kernel_deriche_benchmark
