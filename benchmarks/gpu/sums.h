// Kernels that add: a convolution, a histogram, small products.
#pragma once

#include "examples/common/scheduled.h"

namespace gpu_benchmark {

using examples::Scheduled;

// out(n, o, y, x) = sum over c, dy, dx of in(n, c, y + dy, x + dx) w(o, c, dy, dx). A block makes
// 128 channels of 4 x 16 pixels, a thread 8 channels of 8 pixels, in registers while c runs; the
// inputs of four channels and their weights are in shared memory.
inline Scheduled convolution() {
  using namespace strata;
  Function f("convolution");
  Param N = f.param("N"), C = f.param("C"), O = f.param("O"), H = f.param("H"), W = f.param("W");
  f.assume(C % 4 == 0), f.assume(O % 128 == 0), f.assume(H % 4 == 0), f.assume(W % 16 == 0);
  Var n("n", 0, N), o("o", 0, O), y("y", 0, H), x("x", 0, W), c("c", 0, C), dy("dy", 0, 3),
      dx("dx", 0, 3);
  Input in = f.input("in", f32, {N, C, H + 2, W + 2}), w = f.input("w", f32, {O, C, 3, 3});
  Computation sums = f.computation("sums", {n, o, y, x},
                                   sum({c, dy, dx}, in(n, c, y + dy, x + dx) * w(o, c, dy, dx)));
  Computation out = f.computation("out", {n, o, y, x}, sums(n, o, y, x));
  f.resident(in), f.resident(w), f.resident(out);

  Var o0("o0"), o1("o1"), o2("o2"), y0("y0"), y1("y1"), x0("x0"), x1("x1"), x2("x2"), c0("c0"),
      c1("c1"), p("p"), q("q"), r("r"), s("s"), v("v");
  out.split(o, 128, o0, o1).split(y, 4, y0, y1).split(x, 16, x0, x1).split(o1, 8, o1, o2);
  out.split(x1, 8, x1, x2).interchange(n, o0).interchange(o1, y0).interchange(o2, x0);
  out.interchange(o2, x1).gpu_blocks(n, y0, x0).gpu_threads(o1, y1, x1);
  out.unroll(o2).split(x2, 4, q, v).vectorize(v).unroll(q);
  sums.compute_at(out, x0).set_memory(Memory::local);
  sums.split(c, 4, c0, c1).interchange(o, c0).interchange(y, o).interchange(x, y);
  sums.split(o, 8, o1, o2).split(x, 8, x1, x2).interchange(o2, y).interchange(o2, x1);
  sums.interchange(o2, c1).interchange(x2, dy).interchange(o2, dx).gpu_threads(o1, y, x1);
  sums.unroll(o2).unroll(x2).unroll(dx).unroll(dy);
  sums.cache_shared_at(c0, in, "tile", {p, q, r, s}).set_size({1, 4, 6, 20});
  Computation weights = sums.cache_shared_at(c0, w, "weights", {p, q, r, s});
  weights.store_in({q, r, s, p}).set_size({4, 3, 3, 132});
  return {f, {in.buffer(), w.buffer(), out.buffer()}};
}

// The number of bytes of each value. A block counts 16 rows in shared memory.
inline Scheduled histogram() {
  using namespace strata;
  constexpr std::int64_t rows = 16;
  Function f("histogram");
  Param R = f.param("R"), C = f.param("C");
  Input img = f.input("img", u8, {R, C});
  Var band("band", 0, (R + (rows - 1)) / rows), bin("bin", 0, 256), r("r", 0, R), c("c", 0, C);
  Computation part = f.computation("part", {band, bin}, constant(i32, 0));
  Computation count = part.update({r, c}, {r / rows, img(r, c)}, part(r / rows, img(r, c)) + 1);
  Var c0("c0"), c1("c1"), v("v", 0, 256), g("g", 0, (R + (rows - 1)) / rows);
  Computation hist = f.computation("hist", {v}, sum(g, part(g, v)));
  f.resident(img), f.resident(hist);

  count.split(r, rows, g, r);
  part.fuse(band, count, g);
  hist.interchange(v, g);
  count.fuse(band, hist, g);
  part.allocate_at(hist, band).set_memory(Memory::shared);
  hist.atomic().gpu_blocks(band).gpu_threads(v);
  count.atomic().split(c, 256, c0, c1).interchange(r, c1).gpu_threads(c1);
  part.gpu_threads(bin);
  return {f, {img.buffer(), hist.buffer()}};
}

// c(n) = a(n) b(n), 32 x 32 matrices. A block of 8 x 8 threads makes one product, a thread 4 x 4
// of its elements.
inline Scheduled batched() {
  using namespace strata;
  Function f("batched");
  Param B = f.param("B");
  Var n("n", 0, B), i("i", 0, 32), j("j", 0, 32), k("k", 0, 32), i1("i1"), j1("j1"), i2("i2"),
      j2("j2"), p("p"), x("x"), y("y"), q("q"), v("v");
  Input a = f.input("a", f32, {B, 32, 32}), b = f.input("b", f32, {B, 32, 32});
  Computation sums = f.computation("sums", {n, i, j}, sum(k, a(n, i, k) * b(n, k, j)));
  Computation c = f.computation("c", {n, i, j}, sums(n, i, j));
  f.resident(a), f.resident(b), f.resident(c);
  c.tile(i, j, 4, 4, i1, j1, i2, j2).gpu_blocks(n).gpu_threads(i1, j1).unroll(i2).vectorize(j2);
  sums.compute_at(c, j1).set_memory(Memory::local).interchange(j, k).interchange(i, k);
  sums.unroll(i).unroll(j).unroll(k, 8);
  for (const auto& [of, name] : {std::pair{a, "tile_a"}, std::pair{b, "tile_b"}}) {
    Computation tile = sums.cache_at(n, of, name, {p, x, y}, Memory::shared);
    tile.split(y, 4, q, v).vectorize(v).deal({x, q});
  }
  return {f, {a.buffer(), b.buffer(), c.buffer()}};
}

}  // namespace gpu_benchmark
