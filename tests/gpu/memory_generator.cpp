// memory_generator FOLDER TARGET: kernels whose blocks have buffers in shared and local memory, as
// objects for the device of TARGET.
#include <strata/strata.h>

#include <string>

#include "tests/gpu/generator.h"

namespace {

using namespace strata;

// The blur of the Tiramisu paper, by over rows of bx, both stored by channel: bx in shared memory.
void blur() {
  Function f("blur");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N - 2), j("j", 0, M - 2), c("c", 0, 3), ix("ix", 0, N), jx("jx", 0, M - 2);
  Var i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input in = f.input("in", f32, {3, N, M});
  Computation bx = f.computation("bx", {c, ix, jx},
                                 (in(c, ix, jx) + in(c, ix, jx + 1) + in(c, ix, jx + 2)) / 3.0f);
  Computation by =
      f.computation("by", {i, j, c}, (bx(c, i, j) + bx(c, i + 1, j) + bx(c, i + 2, j)) / 3.0f);
  by.store_in({c, i, j});
  by.gpu_tile(i, j, 32, 32, i0, j0, i1, j1);
  bx.compute_at(by, j0);
  bx.cache_shared_at(by, j0);
  bx.store_in({c, ix, jx});
  generate(f, {in.buffer(), by.buffer()});
}

// The sum over k of a row, k outside of the threads: a register of each thread across barriers.
void sums() {
  Function f("sums");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M), i0("i0"), i1("i1");
  Input in = f.input("in", i32, {N, M});
  Computation acc = f.computation("acc", {i}, sum(k, in(i, k)));
  Computation out = f.computation("out", {i}, acc(i) * 2);
  out.gpu_tile(i, 8, i0, i1);
  acc.compute_at(out, i0);
  acc.interchange(i, k);
  acc.gpu_threads(i);
  generate(f, {in.buffer(), out.buffer()});
}

// The sum over a square of 2 R + 1, at the border of the nearest elements: a tile with its halo in
// shared memory, which all threads copy. The blocks of "wide" have one row of threads.
void halo(const std::string& name, int R, int rows, int columns) {
  Function f(name);
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M), y("y"), x("x"), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input in = f.input("in", i32, {N, M});
  Expr all = cast(i32, 0);
  for (int a = -R; a <= R; ++a)
    for (int b = -R; b <= R; ++b)
      all = all + (3 * a + b) * in(clamp(i + a, 0, N - 1), clamp(j + b, 0, M - 1));
  Computation out = f.computation("out", {i, j}, all);
  out.gpu_tile(i, j, rows, columns, i0, j0, i1, j1);
  out.cache_shared_at(j0, in, "tile", {y, x});
  generate(f, {in.buffer(), out.buffer()});
}

// The sum over a cross, inside of the border: its footprint is not convex.
void cross() {
  Function f("cross");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 1, N - 1), j("j", 1, M - 1), y("y"), x("x"), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input in = f.input("in", i32, {N, M});
  Computation out = f.computation(
      "out", {i, j},
      in(i, j) + 2 * in(i - 1, j) + 3 * in(i + 1, j) + 5 * in(i, j - 1) + 7 * in(i, j + 1));
  out.gpu_tile(i, j, 8, 16, i0, j0, i1, j1);
  out.cache_shared_at(j0, in, "tile", {y, x});
  generate(f, {in.buffer(), out.buffer()});
}

enum class Layout { plain, padded, rotated, packed };

// out(i, j) = in(j, i) through a tile in shared memory: both sides in the order of their memory.
void transposed(const std::string& name, Layout layout) {
  Function f(name);
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M), y("y"), x("x"), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input in = f.input("in", i32, {M, N});
  Computation out = f.computation("out", {i, j}, in(j, i) + 1);
  out.gpu_tile(i, j, 16, 16, i0, j0, i1, j1);
  Computation tile = out.cache_shared_at(j0, in, "tile", {y, x});
  if (layout == Layout::padded) tile.set_size({16, 17});
  if (layout == Layout::rotated) tile.store_in({y, (x + y) % 16});
  if (layout == Layout::packed) tile.store_in({x, y});
  generate(f, {in.buffer(), out.buffer()});
}

// The product of matrices: 32 x 32 a block, 4 x 4 a thread in registers across the barriers of k0,
// panels of both operands in shared memory; of two steps, in turns, if "turns"; the copies for the
// next step under way in each, if "ahead".
enum class Panels { one, turns, ahead };
void product(const std::string& name, Panels panels) {
  Function f(name);
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Var k0("k0"), k1("k1"), ti("ti"), tj("tj"), a("a"), b("b"), x("x"), y("y");
  Input A = f.input("A", i32, {N, K}), B = f.input("B", i32, {K, M});
  Computation C = f.computation("C", {i, j}, sum(k, A(i, k) * B(k, j)));
  C.tile(i, j, 32, 32, i0, j0, i1, j1);
  Computation acc = C.copy_at(j0, "acc", {x, y}, Memory::local);
  C.tile(x, y, 4, 4, ti, tj, a, b);
  acc.split(k, 8, k0, k1).tile(i1, j1, 4, 4, ti, tj, a, b);
  acc.interchange(b, k0).interchange(a, k0).interchange(tj, k0).interchange(ti, k0);
  acc.interchange(b, k1).interchange(a, k1);
  C.gpu_blocks(i0, j0).gpu_threads(ti, tj);
  acc.gpu_threads(ti, tj);
  Computation left = acc.cache_shared_at(k0, A, "left", {x, y});
  Computation right = acc.cache_shared_at(k0, B, "right", {x, y});
  if (panels != Panels::one) {
    left.allocate_at(acc, j0).store_in({x, y % 16});
    right.allocate_at(acc, j0).store_in({x % 16, y});
  }
  if (panels == Panels::ahead) {
    left.shift(k0, -1).async();
    right.shift(k0, -1).async();
  }
  acc.unroll(a).unroll(b);
  generate(f, {A.buffer(), B.buffer(), C.buffer()});
}

// The product of matrices where a thread has every eighth row and two columns of every sixteen: its
// local memory has no gaps.
void spread() {
  Function f("spread");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K), i0("i0"), j0("j0"), k0("k0"), k1("k1");
  Var ti("ti"), tj("tj"), a("a"), b("b"), c("c"), x("x"), y("y");
  Input A = f.input("A", i32, {N, K}), B = f.input("B", i32, {K, M});
  Computation sums = f.computation("sums", {i, j}, sum(k, A(i, k) * B(k, j)));
  Computation C = f.computation("C", {i, j}, sums(i, j));
  const auto in_threads = [&](Computation& s) {
    s.split(i, 8, a, ti).split(j, 16, b, j).split(j, 2, tj, c).interchange(a, ti);
    s.interchange(a, tj).gpu_threads(ti, tj).unroll(a).unroll(b).unroll(c);
  };
  C.tile(i, j, 32, 32, i0, j0, i, j).gpu_blocks(i0, j0);
  in_threads(C);
  sums.compute_at(C, j0).set_memory(Memory::local);
  sums.split(k, 8, k0, k1).interchange(j, k0).interchange(i, k0);
  in_threads(sums);
  sums.cache_shared_at(k0, A, "left", {x, y});
  sums.cache_shared_at(k0, B, "right", {x, y});
  generate(f, {A.buffer(), B.buffer(), C.buffer()});
}

// out(i, j) = in(j, i) through tiles of 16 x 16, copied asynchronously in vectors.
void asynchronous(const std::string& name, Type type, int lanes) {
  Function f(name);
  Param N = f.param("N"), M = f.param("M");
  f.assume(N % 16 == 0);
  f.assume(M % 16 == 0);
  Var i("i", 0, N), j("j", 0, M), y("y"), x("x"), q("q"), v("v");
  Var i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input in = f.input("in", type, {M, N});
  Computation out = f.computation("out", {i, j}, in(j, i));
  out.gpu_tile(i, j, 16, 16, i0, j0, i1, j1);
  Computation tile = out.cache_at(j0, in, "tile", {y, x}, Memory::shared);
  tile.split(x, lanes, q, v).vectorize(v).deal({y, q}).async();
  generate(f, {in.buffer(), out.buffer()});
}

}  // namespace

int main(int argc, char** argv) {
  return run_generator(argc, argv, [] {
    blur();
    sums();
    halo("halo_1", 1, 16, 16);
    halo("halo_3", 3, 8, 32);
    halo("wide", 2, 1, 8);
    cross();
    transposed("transposed", Layout::plain);
    transposed("padded", Layout::padded);
    transposed("rotated", Layout::rotated);
    transposed("packed", Layout::packed);
    product("product", Panels::one);
    product("turns", Panels::turns);
    product("ahead", Panels::ahead);
    spread();
    asynchronous("bytes_16", i32, 4);
    asynchronous("bytes_8", i16, 4);
    asynchronous("bytes_4", u8, 4);
    asynchronous("bytes_2", u8, 2);
  });
}
