// G = (A B) (C D), and its schedule.
#pragma once

#include "benchmarks/polybench/common/product.h"

namespace kernel_3mm_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_3mm");
  Param NI = f.param("NI"), NJ = f.param("NJ"), NK = f.param("NK"), NL = f.param("NL");
  Param NM = f.param("NM");
  Var i("i", 0, NI), j("j", 0, NJ), k("k", 0, NK), l("l", 0, NL), m("m", 0, NM);
  Input a = f.input("A", f64, {NI, NK}), b = f.input("B", f64, {NK, NJ});
  Input c = f.input("C", f64, {NJ, NM}), d = f.input("D", f64, {NM, NL});
  Computation ab = f.computation("ab", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation e = f.computation("E", {i, j}, ab(i, j));
  Computation cd = f.computation("cd", {j, l}, sum(m, c(j, m) * d(m, l)));
  Computation F = f.computation("F", {j, l}, cd(j, l));
  Computation ef = f.computation("ef", {i, l}, sum(j, e(i, j) * F(j, l)));
  Computation g = f.computation("G", {i, l}, ef(i, l));

  polybench::in_tiles(e, {ab}, i, j, k);
  polybench::through_panel(ab, b, "columns_of_b");
  polybench::in_tiles(F, {cd}, j, l, m);
  polybench::through_panel(cd, d, "columns_of_d");
  polybench::in_tiles(g, {ef}, i, l, j);
  polybench::through_panel(ef, F, "columns_of_f");
  return {f, {a.buffer(), b.buffer(), c.buffer(), d.buffer(), g.buffer()}};
}

}  // namespace kernel_3mm_benchmark
