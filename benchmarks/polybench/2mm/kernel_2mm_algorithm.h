// D = beta D + alpha A B C, and its schedule.
#pragma once

#include "benchmarks/polybench/common/product.h"

namespace kernel_2mm_benchmark {

inline examples::Scheduled scheduled() {
  using namespace strata;
  Function f("kernel_2mm");
  Param NI = f.param("NI"), NJ = f.param("NJ"), NK = f.param("NK"), NL = f.param("NL");
  Var i("i", 0, NI), j("j", 0, NJ), k("k", 0, NK), l("l", 0, NL);
  Input alpha = f.input("alpha", f64, {}), beta = f.input("beta", f64, {});
  Input a = f.input("A", f64, {NI, NK}), b = f.input("B", f64, {NK, NJ});
  Input c = f.input("C", f64, {NJ, NL}), d = f.input("D", f64, {NI, NL});
  Computation ab = f.computation("ab", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation tmp = f.computation("tmp", {i, j}, alpha * ab(i, j));
  Computation abc = f.computation("abc", {i, l}, sum(j, tmp(i, j) * c(j, l)));
  Computation out = f.computation("out", {i, l}, beta * d(i, l) + abc(i, l));
  out.store_in(d.buffer());

  polybench::in_tiles(tmp, {ab}, i, j, k);
  polybench::through_panel(ab, b, "columns_of_b");
  polybench::in_tiles(out, {abc}, i, l, j);
  polybench::through_panel(abc, c, "columns_of_c");
  return {f, {alpha.buffer(), beta.buffer(), a.buffer(), b.buffer(), c.buffer(), d.buffer()}};
}

}  // namespace kernel_2mm_benchmark
