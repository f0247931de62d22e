// Edge detection by a recursive filter along rows, then along columns: the definition alone.
#pragma once

#include "examples/common/scheduled.h"

namespace kernel_deriche_benchmark {

inline examples::Scheduled definition() {
  using namespace strata;
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

  Computation y1 = f.declare("y1", {i, j}, f64), y2 = f.declare("y2", {i, m}, f64);
  y1.define(a1 * in(i, j) + or_zero(j >= 1, a2 * in(i, j - 1) + b1 * y1(i, j - 1)) +
            or_zero(j >= 2, b2 * y1(i, j - 2)));
  y2.define(or_zero(m >= 1, a3 * in(i, H - m) + b1 * y2(i, m - 1)) +
            or_zero(m >= 2, a4 * in(i, H - m + 1) + b2 * y2(i, m - 2)));
  Computation rows = f.computation("rows", {i, j}, y1(i, j) + y2(i, H - 1 - j));
  Computation y3 = f.declare("y3", {i, j}, f64), y4 = f.declare("y4", {l, j}, f64);
  y3.define(a1 * rows(i, j) + or_zero(i >= 1, a2 * rows(i - 1, j) + b1 * y3(i - 1, j)) +
            or_zero(i >= 2, b2 * y3(i - 2, j)));
  y4.define(or_zero(l >= 1, a3 * rows(W - l, j) + b1 * y4(l - 1, j)) +
            or_zero(l >= 2, a4 * rows(W - l + 1, j) + b2 * y4(l - 2, j)));
  Computation out = f.computation("out", {i, j}, y3(i, j) + y4(W - 1 - i, j));
  return {f, {alpha.buffer(), in.buffer(), out.buffer()}};
}

}  // namespace kernel_deriche_benchmark
