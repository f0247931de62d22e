#include "tests/automatic/programs.h"

namespace strata::test {

Unscheduled elementwise() {
  Function f("elementwise");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input x = f.input("x", f32, {N, M}), b = f.input("b", f32, {M});
  Computation y = f.computation("y", {i, j}, max(x(i, j) * 2.0f + b(j), 0.0f));
  return {f, {x.buffer(), b.buffer(), y.buffer()}};
}

Unscheduled row_sums() {
  Function f("row_sums");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M);
  Input a = f.input("a", f32, {N, M}), x = f.input("x", f32, {M});
  Computation y = f.computation("y", {i}, sum(k, a(i, k) * x(k)));
  return {f, {a.buffer(), x.buffer(), y.buffer()}};
}

Unscheduled column_sums() {
  Function f("column_sums");
  Param N = f.param("N"), M = f.param("M");
  Var j("j", 0, M), k("k", 0, N);
  Input a = f.input("a", f64, {N, M}), x = f.input("x", f64, {N});
  Computation y = f.computation("y", {j}, sum(k, a(k, j) * x(k)));
  return {f, {a.buffer(), x.buffer(), y.buffer()}};
}

Unscheduled product_of_matrices() {
  Function f("product");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = f.input("a", f32, {N, K}), b = f.input("b", f32, {K, M});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

Unscheduled product_with_bias() {
  Function f("dense");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = f.input("a", f32, {N, K}), b = f.input("b", f32, {K, M}), d = f.input("d", f32, {M});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation y = f.computation("y", {i, j}, max(c(i, j) + d(j), 0.0f));
  return {f, {a.buffer(), b.buffer(), d.buffer(), y.buffer()}};
}

Unscheduled product_of_transposed() {
  Function f("turned");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = f.input("a", f64, {N, K}), b = f.input("b", f64, {M, K});
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * b(j, k)));
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

Unscheduled two_products() {
  Function f("two");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K), l("l", 0, K);
  Input a = f.input("a", f64, {N, K}), b = f.input("b", f64, {K, M}), c = f.input("c", f64, {M, K});
  Computation ab = f.computation("ab", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation abc = f.computation("abc", {i, l}, sum(j, ab(i, j) * c(j, l)));
  return {f, {a.buffer(), b.buffer(), c.buffer(), abc.buffer()}};
}

Unscheduled convolution() {
  Function f("conv");
  Param H = f.param("H"), W = f.param("W"), CI = f.param("CI"), CO = f.param("CO");
  Var y("y", 0, H), x("x", 0, W), co("co", 0, CO), ky("ky", 0, 3), kx("kx", 0, 3), ci("ci", 0, CI);
  Input in = f.input("in", f32, {H + 2, W + 2, CI}),
        weights = f.input("weights", f32, {3, 3, CI, CO});
  Computation sums = f.computation(
      "sums", {y, x, co}, sum({ky, kx, ci}, weights(ky, kx, ci, co) * in(y + ky, x + kx, ci)));
  Computation out = f.computation("out", {y, x, co}, max(sums(y, x, co), 0.0f));
  return {f, {in.buffer(), weights.buffer(), out.buffer()}};
}

Unscheduled blur() {
  Function f("blur");
  Param N = f.param("N"), W = f.param("W");
  Var i("i", 0, N), k("k", 0, N - 2), w("w", 0, W - 2);
  Input in = f.input("in", f32, {N, W});
  f.assume(N >= 2);
  f.assume(W >= 2);
  Computation bx = f.computation("bx", {i, w}, (in(i, w) + in(i, w + 1) + in(i, w + 2)) / 3.0f);
  Computation by = f.computation("by", {k, w}, (bx(k, w) + bx(k + 1, w) + bx(k + 2, w)) / 3.0f);
  return {f, {in.buffer(), by.buffer()}};
}

Unscheduled blur_of_borders() {
  Function f("borders");
  Param N = f.param("N"), W = f.param("W");
  Var y("y", 0, N), x("x", 0, W);
  Input in = f.input("in", u8, {N, W});
  const auto column = [&](const Expr& e) { return clamp(e, 0, W - 1); };
  const auto row = [&](const Expr& e) { return clamp(e, 0, N - 1); };
  Computation wide = f.computation("wide", {y, x}, cast(u16, in(y, x)));
  Computation bx = f.computation("bx", {y, x}, wide(y, column(x - 1)) + wide(y, column(x + 1)));
  Computation by = f.computation("by", {y, x}, bx(row(y - 1), x) + bx(row(y + 1), x));
  return {f, {in.buffer(), by.buffer()}};
}

Unscheduled softmax() {
  Function f("softmax");
  Param N = f.param("N"), W = f.param("W");
  Var i("i", 0, N), j("j", 0, W);
  Input x = f.input("x", f32, {N, W});
  Computation most = f.computation("most", {i}, maximum(j, x(i, j)));
  Computation e = f.computation("e", {i, j}, exp(x(i, j) - most(i)));
  Computation total = f.computation("total", {i}, sum(j, e(i, j)));
  Computation out = f.computation("out", {i, j}, e(i, j) / total(i));
  return {f, {x.buffer(), out.buffer()}};
}

Unscheduled layer_norm() {
  Function f("norm");
  Param N = f.param("N"), W = f.param("W");
  Var i("i", 0, N), j("j", 0, W);
  Input x = f.input("x", f32, {N, W}), gain = f.input("gain", f32, {W});
  Computation total = f.computation("total", {i}, sum(j, x(i, j)));
  Computation mean = f.computation("mean", {i}, total(i) / cast(f32, W));
  Computation square =
      f.computation("square", {i}, sum(j, (x(i, j) - mean(i)) * (x(i, j) - mean(i))));
  Computation out = f.computation(
      "out", {i, j}, (x(i, j) - mean(i)) / sqrt(square(i) / cast(f32, W) + 1e-5f) * gain(j));
  return {f, {x.buffer(), gain.buffer(), out.buffer()}};
}

Unscheduled attention() {
  Function f("attention");
  Param N = f.param("N"), D = f.param("D");
  Var i("i", 0, N), j("j", 0, N), d("d", 0, D), e("e", 0, D);
  Input q = f.input("q", f32, {N, D}), k = f.input("k", f32, {N, D}), v = f.input("v", f32, {N, D});
  Computation dots = f.computation("dots", {i, j}, sum(d, q(i, d) * k(j, d)));
  Computation score = f.computation("score", {i, j}, dots(i, j) / sqrt(cast(f32, D)));
  Computation most = f.computation("most", {i}, maximum(j, score(i, j)));
  Computation weight = f.computation("weight", {i, j}, exp(score(i, j) - most(i)));
  Computation total = f.computation("total", {i}, sum(j, weight(i, j)));
  Computation sums = f.computation("sums", {i, e}, sum(j, weight(i, j) * v(j, e)));
  Computation out = f.computation("out", {i, e}, sums(i, e) / total(i));
  return {f, {q.buffer(), k.buffer(), v.buffer(), out.buffer()}};
}

Unscheduled attention_of_products() {
  Function f("attention_of_products");
  Param N = f.param("N"), D = f.param("D");
  Var i("i", 0, N), j("j", 0, N), d("d", 0, D), e("e", 0, D);
  Input q = f.input("q", f32, {N, D}), k = f.input("k", f32, {D, N}), v = f.input("v", f32, {N, D});
  Computation dots = f.computation("dots", {i, j}, sum(d, q(i, d) * k(d, j)));
  Computation most = f.computation("most", {i}, maximum(j, dots(i, j)));
  Computation weight = f.computation("weight", {i, j}, exp(dots(i, j) - most(i)));
  Computation total = f.computation("total", {i}, sum(j, weight(i, j)));
  Computation share = f.computation("share", {i, j}, weight(i, j) / total(i));
  Computation out = f.computation("out", {i, e}, sum(j, share(i, j) * v(j, e)));
  return {f, {q.buffer(), k.buffer(), v.buffer(), out.buffer()}};
}

Unscheduled layers() {
  Function f("layers");
  Param N = f.param("N"), W = f.param("W");
  Var i("i", 0, N), j("j", 0, W), k("k", 0, W);
  Input x = f.input("x", f32, {N, W}), a = f.input("a", f32, {W, W}), b = f.input("b", f32, {W, W}),
        c = f.input("c", f32, {W, W});
  Computation first = f.computation("first", {i, j}, sum(k, x(i, k) * a(k, j)));
  Computation total = f.computation("total", {i}, sum(j, first(i, j) * first(i, j)));
  Computation scale = f.computation("scale", {i}, 1.0f / sqrt(total(i) / cast(f32, W) + 1e-5f));
  Computation norm = f.computation("norm", {i, j}, first(i, j) * scale(i));
  Computation second = f.computation("second", {i, j}, sum(k, norm(i, k) * b(k, j)));
  Computation positive = f.computation("positive", {i, j}, max(second(i, j), 0.0f));
  Computation third = f.computation("third", {i, j}, sum(k, positive(i, k) * c(k, j)));
  Computation out = f.computation("out", {i, j}, third(i, j) + norm(i, j));
  return {f, {x.buffer(), a.buffer(), b.buffer(), c.buffer(), out.buffer()}};
}

Unscheduled windows() {
  Function f("windows");
  Param C = f.param("C"), N = f.param("N"), W = f.param("W");
  f.assume(N >= 2);
  f.assume(W >= 2);
  Var c("c", 0, C), y("y", 0, N - 2), x("x", 0, W - 2), r("r", 0, 3), s("s", 0, 3);
  Var py("y", 0, N - 3), px("x", 0, W - 3), dy("dy", 0, 2), dx("dx", 0, 2);
  Input in = f.input("in", f32, {C, N, W}), w = f.input("w", f32, {C, 3, 3});
  Computation filtered =
      f.computation("filtered", {c, y, x}, sum({r, s}, in(c, y + r, x + s) * w(c, r, s)));
  Computation positive = f.computation("positive", {c, y, x}, max(filtered(c, y, x), 0.0f));
  Computation most =
      f.computation("most", {c, py, px}, maximum({dy, dx}, positive(c, py + dy, px + dx)));
  return {f, {in.buffer(), w.buffer(), most.buffer()}};
}

Unscheduled product_of_row() {
  Function f("product_of_row");
  Param M = f.param("M"), K = f.param("K");
  Var i("i", 0, 1), j("j", 0, M), k("k", 0, K);
  Input x = f.input("x", f32, {1, K}), w = f.input("w", f32, {K, M}), b = f.input("b", f32, {M});
  Computation c = f.computation("c", {i, j}, sum(k, x(i, k) * w(k, j)));
  Computation out = f.computation("out", {i, j}, c(i, j) + b(j));
  return {f, {x.buffer(), w.buffer(), b.buffer(), out.buffer()}};
}

Unscheduled heat() {
  Function f("heat");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 1, N - 1), j("j", 1, N - 1), r("i", 0, N), c("j", 0, N);
  Input a = f.input("A", f64, {N, N}), b = f.input("B", f64, {N, N});
  Computation u = f.computation("u", {r, c}, a(r, c)), v = f.computation("v", {r, c}, b(r, c));
  const auto mean = [&](const Computation& x) {
    return 0.2 * (x(i, j) + x(i, j - 1) + x(i, j + 1) + x(i + 1, j) + x(i - 1, j));
  };
  f.loop(t, [&] {
    v.update({t, i, j}, {i, j}, mean(u));
    u.update({t, i, j}, {i, j}, mean(v));
  });
  u.store_in(a.buffer());
  v.store_in(b.buffer());
  return {f, {a.buffer(), b.buffer()}};
}

Unscheduled histogram() {
  Function f("histogram");
  Param N = f.param("N");
  Var i("i", 0, N), b("b", 0, 256);
  Input x = f.input("x", u8, {N});
  Computation h = f.computation("h", {b}, 0);
  h.update({i}, {x(i)}, h(x(i)) + 1);
  return {f, {x.buffer(), h.buffer()}};
}

Unscheduled running_sum() {
  Function f("running");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input x = f.input("x", i32, {N});
  Computation s = f.declare("s", {i}, i32);
  s.define(x(i) + select(i > 0, s(i - 1), 0));
  Computation y = f.computation("y", {i}, s(i) * 2);
  return {f, {x.buffer(), y.buffer()}};
}

Unscheduled chain() {
  Function f("chain");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input x = f.input("x", f32, {N});
  Computation a = f.computation("a", {i}, x(i) * 0.5f), b = f.computation("b", {i}, exp(a(i)));
  Computation c = f.computation("c", {i}, b(i) + 1.0f), y = f.computation("y", {i}, c(i) * c(i));
  return {f, {x.buffer(), y.buffer()}};
}

// The sums of a row keep the summed dimension, of extent 1, as operators on tensors have it.
Unscheduled softmax_of_rows_kept() {
  Function f("kept");
  Param N = f.param("N"), W = f.param("W");
  Var i("i", 0, N), j("j", 0, W), one("one", 0, 1), k("k", 0, W);
  Input x = f.input("x", f32, {N, W});
  Computation most = f.computation("most", {i, one}, maximum(k, x(i, k)));
  Computation shift = f.computation("shift", {i, j}, x(i, j) - most(i, 0));
  Computation e = f.computation("e", {i, j}, exp(shift(i, j)));
  Computation total = f.computation("total", {i, one}, sum(k, e(i, k)));
  Computation out = f.computation("out", {i, j}, e(i, j) / total(i, 0));
  return {f, {x.buffer(), out.buffer()}};
}

Unscheduled product_of_copies() {
  Function f("copies");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input a = f.input("a", f32, {N, K}), b = f.input("b", f32, {M, K});
  Computation turned = f.computation("turned", {k, j}, b(j, k));
  Computation c = f.computation("c", {i, j}, sum(k, a(i, k) * turned(k, j)));
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

// softmax of each row of each batch
Unscheduled softmax_of_batches() {
  Function f("batches");
  Param B = f.param("B"), N = f.param("N"), W = f.param("W");
  Var b("b", 0, B), i("i", 0, N), j("j", 0, W);
  Input x = f.input("x", f32, {B, N, W});
  Computation most = f.computation("most", {b, i}, maximum(j, x(b, i, j)));
  Computation e = f.computation("e", {b, i, j}, exp(x(b, i, j) - most(b, i)));
  Computation total = f.computation("total", {b, i}, sum(j, e(b, i, j)));
  Computation out = f.computation("out", {b, i, j}, e(b, i, j) / total(b, i));
  return {f, {x.buffer(), out.buffer()}};
}

// x w + y, and of each row of it the difference from its mean
Unscheduled product_and_mean() {
  Function f("centered");
  Param B = f.param("B"), N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var b("b", 0, B), i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Input x = f.input("x", f32, {B, N, K}), w = f.input("w", f32, {K, M});
  Input y = f.input("y", f32, {B, N, M});
  Computation dots = f.computation("dots", {b, i, j}, sum(k, x(b, i, k) * w(k, j)));
  Computation all = f.computation("all", {b, i, j}, dots(b, i, j) + y(b, i, j));
  Computation total = f.computation("total", {b, i}, sum(j, all(b, i, j)));
  Computation out = f.computation("out", {b, i, j}, all(b, i, j) - total(b, i) / cast(f32, M));
  return {f, {x.buffer(), w.buffer(), y.buffer(), out.buffer()}};
}

// y runs along rows, and z adds y forwards and backwards.
Unscheduled filter_of_rows() {
  Function f("filter");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input x = f.input("x", f32, {N, M});
  Computation y = f.declare("y", {i, j}, f32);
  y.define(x(i, j) + 0.5f * select(j > 0, y(i, j - 1), 0.0f));
  Computation z = f.computation("z", {i, j}, y(i, j) + y(i, M - 1 - j));
  return {f, {x.buffer(), z.buffer()}};
}

// Each element is computed from some that this step has changed already: no loop has vectors.
Unscheduled sweeps_in_place() {
  Function f("sweeps");
  Param T = f.param("T"), N = f.param("N");
  f.assume(N >= 3);
  Var t("t", 0, T), i("i", 1, N - 1), j("j", 1, N - 1), r("i", 0, N), c("j", 0, N);
  Input a = f.input("A", f64, {N, N});
  Computation u = f.computation("u", {r, c}, a(r, c));
  u.update({t, i, j}, {i, j}, 0.25 * (u(i - 1, j) + u(i, j - 1) + u(i, j + 1) + u(i + 1, j)));
  u.store_in(a.buffer());
  return {f, {a.buffer()}};
}

// Each step filters the columns of u, from the first row to the last one and back.
Unscheduled filters_in_steps() {
  Function f("filters");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 0, N), j("j", 0, N);
  Input a = f.input("A", f32, {N, N});
  Computation u = f.computation("u", {i, j}, a(i, j)), down = u, up = u;
  f.loop(t, [&] {
    down = f.declare("down", {t, i, j}, f32);
    up = f.declare("up", {t, i, j}, f32);
    u.update({t, i, j}, {i, j}, up(t, j, N - 1 - i));
  });
  down.define(u(j, i) + 0.25f * select(j > 0, down(t, i, j - 1), 0.0f));
  up.define(down(t, i, N - 1 - j) + 0.5f * select(j > 0, up(t, i, j - 1), 0.0f));
  u.store_in(a.buffer());
  return {f, {a.buffer()}};
}

// A symmetric matrix with a diagonal above 1 in L L^T, in place.
Unscheduled factorization() {
  Function f("factorization");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N), below("i", k + 1, N), right("j", k + 1, below + 1);
  Input matrix = f.input("A", f64, {N, N});
  const Expr near = 0.01 * (matrix(i, j) + matrix(j, i)) / cast(f64, Expr(N));
  Computation a = f.computation("a", {i, j}, select(i == j, 2.0, near));
  f.loop(k, [&] {
    a.update({k}, {k, k}, sqrt(a(k, k)));
    a.update({k, below}, {below, k}, a(below, k) / a(k, k));
    a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * a(right, k));
  });
  return {f, {matrix.buffer(), a.buffer()}};
}

Unscheduled elimination() {
  Function f("elimination");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), k("k", 0, N), below("i", k + 1, N), right("j", k + 1, N);
  Input matrix = f.input("A", f64, {N, N});
  const Expr near = 0.01 * matrix(i, j) / cast(f64, Expr(N));
  Computation a = f.computation("a", {i, j}, select(i == j, 2.0, near));
  f.loop(k, [&] {
    a.update({k, below}, {below, k}, a(below, k) / a(k, k));
    a.update({k, below, right}, {below, right}, a(below, right) - a(below, k) * a(k, right));
  });
  return {f, {matrix.buffer(), a.buffer()}};
}

// In step k, elements after column k read what the step has written there. The diagonal may be
// negative, so column k changes.
Unscheduled shortest_paths() {
  Function f("paths");
  Param N = f.param("N");
  Var k("k", 0, N), i("i", 0, N), j("j", 0, N);
  Input length = f.input("length", f32, {N, N});
  Computation d = f.computation("d", {i, j}, length(i, j) - 1.25f);
  f.loop(k, [&] { d.update({k, i, j}, {i, j}, min(d(i, j), 0.5f * (d(i, k) + d(k, j)))); });
  return {f, {length.buffer(), d.buffer()}};
}

// Each step multiplies the state of the step before by a matrix.
Unscheduled recurrent_layer() {
  Function f("layer");
  Param T = f.param("T"), H = f.param("H");
  Var t("t", 0, T), g("g", 0, 2), j("j", 0, H), k("k", 0, H);
  Input x = f.input("x", f32, {T, H}), u = f.input("u", f32, {2, H, H});
  Computation start = f.computation("start", {j}, Expr(0.5f)), state = start, h = start;
  f.loop(t, [&] {
    state = f.declare("state", {t, g, j}, f32);
    h = f.computation("h", {t, j}, 0.25f * state(t, 0, j) + x(t, j) * state(t, 1, j));
    state.define(sum(k, u(g, k, j) * select(t > 0, h(t - 1, k), start(k))));
  });
  return {f, {x.buffer(), u.buffer(), h.buffer()}};
}

Unscheduled symmetric_update() {
  Function f("symmetric");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, i + 1), k("k", 0, M);
  Input a = f.input("a", f64, {N, M}), b = f.input("b", f64, {N, M});
  Computation ab = f.computation("ab", {i, j}, sum(k, a(i, k) * b(j, k)));
  Computation ba = f.computation("ba", {i, j}, sum(k, b(i, k) * a(j, k)));
  Computation c = f.computation("c", {i, j}, 2.0 * (ab(i, j) + ba(i, j)));
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

Unscheduled best_divisions() {
  Function f("divisions");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, N), r("r", 0, N), c("c", N - r, N);
  const Expr row = N - 1 - r;
  Var k("k", row + 1, c);
  Input x = f.input("x", f64, {N});
  Computation best = f.computation("best", {i, j}, x(i) * x(j));
  f.loop(r, [&] {
    f.loop(c, [&] {
      best.update({r, c, k}, {row, c}, max(best(row, c), best(row, k) + best(k, c)));
      best.update({r, c}, {row, c}, max(best(row, c), best(row, c - 1)));
    });
  });
  return {f, {x.buffer(), best.buffer()}};
}

const std::vector<Named>& algorithms() {
  static const std::vector<Named> all = {
      {"elementwise", elementwise, {{0, 5}, {1, 1}, {7, 37}}},
      {"row_sums", row_sums, {{1, 0}, {3, 61}, {5, 131}}},
      {"column_sums", column_sums, {{0, 3}, {61, 19}}},
      {"product", product_of_matrices, {{1, 1, 1}, {7, 35, 5}, {13, 65, 3}}},
      {"product_with_bias", product_with_bias, {{1, 1, 0}, {7, 35, 5}, {13, 65, 3}}},
      {"product_of_transposed", product_of_transposed, {{1, 2, 1}, {7, 35, 5}}},
      {"two_products", two_products, {{1, 1, 1}, {7, 19, 5}}},
      {"convolution", convolution, {{1, 1, 1, 1}, {3, 7, 2, 35}}},
      {"blur", blur, {{2, 2}, {3, 3}, {9, 41}, {21, 70}}},
      {"blur_of_borders", blur_of_borders, {{1, 1}, {5, 33}, {9, 71}}},
      {"softmax", softmax, {{1, 1}, {3, 61}, {9, 131}}},
      {"layer_norm", layer_norm, {{1, 1}, {3, 61}, {9, 131}}},
      {"attention", attention, {{1, 1}, {7, 5}, {19, 3}}},
      {"attention_of_products", attention_of_products, {{1, 1}, {7, 5}, {19, 3}, {37, 70}}},
      {"layers", layers, {{1, 1}, {7, 5}, {19, 70}}},
      {"windows", windows, {{1, 3, 3}, {2, 9, 41}, {3, 21, 70}}},
      {"product_of_row", product_of_row, {{1, 0}, {35, 5}, {200, 3}}},
      {"heat", heat, {{0, 3}, {1, 3}, {5, 21}}},
      {"histogram", histogram, {{0}, {37}}},
      {"running_sum", running_sum, {{0}, {37}}},
      {"chain", chain, {{0}, {1}, {37}}},
      {"softmax_of_rows_kept", softmax_of_rows_kept, {{1, 1}, {3, 61}, {9, 131}}},
      {"product_of_copies", product_of_copies, {{1, 1, 1}, {7, 35, 5}}},
      {"softmax_of_batches", softmax_of_batches, {{0, 2, 3}, {2, 3, 61}, {3, 1, 131}}},
      {"product_and_mean", product_and_mean, {{1, 1, 1, 0}, {2, 7, 35, 5}, {3, 13, 65, 3}}},
      {"filter_of_rows", filter_of_rows, {{0, 3}, {1, 1}, {21, 13}, {35, 7}}},
      {"sweeps_in_place", sweeps_in_place, {{0, 3}, {1, 3}, {5, 31}}},
      {"filters_in_steps", filters_in_steps, {{0, 1}, {1, 3}, {3, 37}}},
      {"factorization", factorization, {{0}, {1}, {37}, {131}}},
      {"elimination", elimination, {{0}, {1}, {37}, {131}}},
      {"shortest_paths", shortest_paths, {{0}, {1}, {37}, {131}}},
      {"recurrent_layer", recurrent_layer, {{0, 3}, {1, 1}, {3, 61}, {5, 70}}},
      {"best_divisions", best_divisions, {{1}, {2}, {37}, {70}}},
      {"symmetric_update", symmetric_update, {{0, 1}, {1, 3}, {37, 5}, {70, 19}}},
  };
  return all;
}

}  // namespace strata::test
