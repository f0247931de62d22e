// Refusals of launches on a GPU: what the hardware cannot run, and illegal orders among blocks and
// threads, each with the command to give in its place.
#include <strata/strata.h>

#include "tests/error/told.h"
#include "tests/folder.h"

namespace strata::test::launches_test {

namespace {

const Var i0("i0"), i1("i1"), j0("j0"), j1("j1"), k0("k0"), k1("k1");

// s(i, j) = s(i - 1, j) + in(i, j): each row needs the one before.
struct Rows : Grid {
  Computation s = f.declare("s", {i, j}, f32);
  Rows() { s.define(select(i > 0, s(i - 1, j), 0.0f) + in(i, j)); }
};

// r(i) = the sum of in(i, k).
struct Sums : Grid {
  Var k{"k", 0, M};
  Computation r = f.computation("r", {i}, sum(k, in(i, k)));
};

// The refusal when the object of "f" is made for a GPU.
std::string refused_code(Function& f, const std::vector<Buffer>& arguments,
                         const std::string& target) {
  CodegenOptions options;
  options.target = target;
  return told(f, [&] { f.codegen(arguments, Folder() / "unwritten.o", options); });
}

}  // namespace

TEST_CASE("E0207: contributions to one result, by blocks and by threads", "[error][gpu]") {
  Sums g;
  CHECK(told(g.f, [&] { g.r.gpu_blocks(g.k); }) == R"(error E0207 reduction concurrent
  in gpu_blocks(r.k) at HERE
  two contributions to one result of r would run at the same time
  for example, with N = 1, M = 2:
    r[0, 0] at [0, 0, 1, 0, 0] and
    r[0, 1] at [0, 0, 1, 1, 0] both add to it
  to fix it: give each iteration a partial result: r.rfactor(k, "r_part").gpu_blocks(k); or use r.atomic() first
)");
  g.r.split(g.k, 8, k0, k1).gpu_blocks(g.i);
  CHECK(told(g.f, [&] { g.r.gpu_threads(k1); }) == R"(error E0207 reduction concurrent
  in gpu_threads(r.k1) at HERE
  two contributions to one result of r would run at the same time
  for example, with N = 1, M = 2:
    r[0, 0] at [0, 0, 1, 0, 0, 0, 0] and
    r[0, 1] at [0, 0, 1, 0, 0, 1, 0] both add to it
  to fix it: give each iteration a partial result: r.rfactor(k1, "r_part").gpu_threads(k1); or use r.atomic() first
)");
  // The advice, followed.
  Computation part = g.r.rfactor(k1, "r_part");
  part.gpu_threads(k1);
}

TEST_CASE("E0202: a block or a thread needs another", "[error][gpu]") {
  Rows g;
  CHECK(told(g.f, [&] { g.s.gpu_tile(g.i, g.j, 4, 32); }) == R"(error E0202 dependence carried
  in gpu_tile(s.i, s.j, 4, 32) at HERE
  a block or a thread needs values that others compute
  for example, with N = 2, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0, 0, 0, 0, 0] computes the value that
    s[1, 0] at [0, 0, 0, 0, 0, 1, 0, 0, 0] uses
  to fix it: leave i sequential: around the blocks, where each of its iterations is a launch, or inside of them
)");
  CHECK(told(g.f, [&] { g.s.gpu_blocks(g.i); }) == R"(error E0202 dependence carried
  in gpu_blocks(s.i) at HERE
  a block needs values that other blocks compute
  for example, with N = 2, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0] computes the value that
    s[1, 0] at [0, 1, 0, 0, 0] uses
  to fix it: leave i sequential: around the blocks, where each of its iterations is a launch, or inside of them
)");
  g.s.tile(g.i, g.j, 4, 32, i0, j0, i1, j1);
  g.s.interchange(i0, j0).gpu_blocks(j0);
  CHECK(told(g.f, [&] { g.s.gpu_threads(i1); }) == R"(error E0202 dependence carried
  in gpu_threads(s.i1) at HERE
  a thread needs values that other threads compute
  for example, with N = 2, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0, 0, 0, 0, 0] computes the value that
    s[1, 0] at [0, 0, 0, 0, 0, 1, 0, 0, 0] uses
  to fix it: leave i1 sequential: around the threads, which then wait for each other in each of its iterations, or inside of them
)");
  g.s.gpu_threads(j1);
}

TEST_CASE("E0202: two computations of one launch need each other's blocks", "[error][gpu]") {
  Grid g;
  Computation s = g.copy("s");
  Computation u =
      g.f.computation("u", {g.i, g.j}, s(g.i, g.j) - select(g.i > 0, s(g.i - 1, g.j), 0.0f));
  u.after(s, g.i);
  CHECK(told(g.f, [&] { s.gpu_blocks(g.i); }) == R"(error E0202 dependence carried
  in gpu_blocks(s.i) at HERE
  a block needs values that other blocks compute
  for example, with N = 2, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0] computes the value that
    u[1, 0] at [0, 1, 1, 0, 0] uses
  to fix it: distribute_loop(i) first: then the second computation has a launch of its own, after the first
)");
  // The advice, followed.
  s.distribute_loop(g.i);
  s.gpu_blocks(g.i);
  u.gpu_blocks(g.i);
}

TEST_CASE("E0303: two blocks, and two threads, touch one place", "[error][gpu]") {
  Grid g;
  Computation s = g.copy("s");
  s.store_in({g.j});
  CHECK(told(g.f, [&] { s.gpu_blocks(g.i); }) == R"(error E0303 race
  in gpu_blocks(s.i) at HERE
  iterations that run at the same time would access the same element of s
  for example, with N = 2, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0] writes it, and at the same time
    s[1, 0] at [0, 1, 0, 0, 0] writes it
    at element: s[0]
  to fix it: leave i sequential: around the blocks, where each of its iterations is a launch, or inside of them; or give each iteration its own elements
)");
  s.interchange(g.i, g.j).gpu_blocks(g.j).split(g.i, 8, i0, i1);
  CHECK(told(g.f, [&] { s.gpu_threads(i1); }) == R"(error E0303 race
  in gpu_threads(s.i1) at HERE
  iterations that run at the same time would access the same element of s
  for example, with N = 2, M = 1:
    s[0, 0] at [0, 0, 0, 0, 0, 0, 0] writes it, and at the same time
    s[1, 0] at [0, 0, 0, 0, 0, 1, 0] writes it
    at element: s[0]
  to fix it: leave i1 sequential: around the threads, which then wait for each other in each of its iterations, or inside of them; or give each iteration its own elements
)");
}

TEST_CASE("E0106: loops of a launch in another order", "[error][gpu]") {
  Grid g;
  Computation s = g.copy("s");
  s.tile(g.i, g.j, 4, 8, i0, j0, i1, j1);
  CHECK(told(g.f, [&] { s.gpu_threads(i1); }) == R"(error E0106 bad argument
  in gpu_threads(s.i1) at HERE
  the thread loop i1 is in no block
  to fix it: give gpu_blocks to a loop around it
)");
  CHECK(told(g.f, [&] { s.gpu(j1, i0); }) == R"(error E0106 bad argument
  in gpu(s.j1, s.i0) at HERE
  the number of iterations of loop i0 has no constant bound, so it cannot be the threads of a block
  to fix it: split i0 by a number and name its inner loop, as gpu_tile does
)");
  s.gpu_blocks(i0);
  CHECK(told(g.f, [&] { s.parallelize(j0); }) == R"(error E0106 bad argument
  in parallelize(s.j0) at HERE
  the parallel loop j0 stands inside of blocks, on the threads of the CPU
  to fix it: give it to gpu_threads, or leave it sequential
)");
  s.gpu_threads(j1);
  CHECK(told(g.f, [&] { s.gpu_blocks(i1); }) == R"(error E0106 bad argument
  in gpu_blocks(s.i1) at HERE
  loop j0 stands between the block loop i0 and the block loop i1
  to fix it: move it outside or inside of both
)");
  CHECK(told(g.f, [&] { s.vectorize(i1); }) == R"(error E0106 bad argument
  in vectorize(s.i1) at HERE
  the vector loop i1 stands around the thread loop j1
  to fix it: vectorize a loop inside of the threads
)");
  CHECK(told(g.f, [&] { s.gpu_threads(j1); }) == R"(error E0106 bad argument
  in gpu_threads(s.j1) at HERE
  loop j1 would be thread, but it is thread already
  to fix it: give a loop one of these tags
)");
  CHECK(told(g.f, [&] { s.parallelize(i0); }) == R"(error E0106 bad argument
  in parallelize(s.i0) at HERE
  loop i0 would be parallel, but it is block already
  to fix it: give a loop one of these tags
)");
  CHECK(told(g.f, [&] { s.vectorize(j1); }) == R"(error E0106 bad argument
  in vectorize(s.j1) at HERE
  loop j1 would be vector, but it is thread already
  to fix it: give a loop one of these tags
)");
  CHECK(told(g.f, [&] { s.gpu_blocks(g.k); }) == R"(error E0102 unknown loop
  in gpu_blocks(s.k) at HERE
  s has no loop k; it has i0, j0, i1, j1
)");
  CHECK(told(g.f, [&] { s.prefetch(j0, g.in, 1); }) == R"(error E0106 bad argument
  in prefetch(s.j0, in, 1) at HERE
  loop j0 cannot prefetch in for s: loop i0 is run by a GPU, whose threads hide the time of a load without prefetches
  to fix it: leave out prefetch, or copy the data to shared memory with cache_at
)");
}

TEST_CASE("E0106: a CPU's threads and lanes around a launch", "[error][gpu]") {
  Grid g;
  Computation s = g.copy("s"), t = g.copy("t");
  s.gpu_blocks(g.j);
  CHECK(told(g.f, [&] { s.parallelize(g.i); }) == R"(error E0106 bad argument
  in parallelize(s.i) at HERE
  the parallel loop i stands around a launch, whose outermost loop is j
  to fix it: leave i sequential, or give it to gpu_blocks
)");
  CHECK(told(g.f, [&] { s.vectorize(g.i, 4); }) == R"(error E0106 bad argument
  in vectorize(s.i, 4) at HERE
  the vector loop i_lane stands around a launch, whose outermost loop is j
  to fix it: leave i_lane sequential, or give it to gpu_blocks
)");
  CHECK(told(g.f, [&] { s.prefetch(g.i, g.in, 1); }) == R"(error E0106 bad argument
  in prefetch(s.i, in, 1) at HERE
  loop i cannot prefetch in for s: loop j is run by a GPU, whose threads hide the time of a load without prefetches
  to fix it: leave out prefetch, or copy the data to shared memory with cache_at
)");
  t.parallelize(g.i);
  CHECK(told(g.f, [&] { t.gpu_blocks(g.j); }) == R"(error E0106 bad argument
  in gpu_blocks(t.j) at HERE
  the parallel loop i stands around a launch, whose outermost loop is j
  to fix it: leave i sequential, or give it to gpu_blocks
)");
}

TEST_CASE("E0106: threads in divergent code", "[error][gpu]") {
  Function f("f");
  Var i("i", 0, f.param("N")), j("j", 0, 8);
  Computation s = f.computation("s", {i, j}, cast(f32, i + j));
  Computation t = f.computation("t", {i}, s(i, 0) + s(i, 7));
  s.split(i, 4, i0, i1);
  t.split(i, 4, i0, i1).after(s, i1);
  s.gpu(i0, i1);
  CHECK(told(f, [&] { s.gpu_threads(j); }) == R"(error E0106 bad argument
  in gpu_threads(s.j) at HERE
  the thread loop i1 holds another thread loop and something beside it
  to fix it: distribute_loop(i1) gives each a loop of its own
)");
}

TEST_CASE("E0106: blocks, and barriers, inside of threads", "[error][gpu]") {
  Grid g;
  Computation s = g.copy("s");
  s.split(g.i, 4, i0, i1).gpu(i0, i1);
  CHECK(told(g.f, [&] { s.gpu_blocks(g.j); }) == R"(error E0106 bad argument
  in gpu_blocks(s.j) at HERE
  the block loop j stands inside the thread loop i1
  to fix it: blocks contain threads: interchange the two loops, or exchange their tags
)");
  CHECK(told(g.f, [&] { s.barrier_at(g.j); }) == R"(error E0106 bad argument
  in barrier_at(s.j) at HERE
  s.j runs in one thread of a block, inside of the loop i1, and the others would miss the barrier
  to fix it: give a loop around i1
)");
}

TEST_CASE("E0106: grids and blocks that are not boxes", "[error][gpu]") {
  Function f("f");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, Expr(i) + 1);
  Computation s = f.computation("s", {i, j}, cast(f32, i));
  CHECK(told(f, [&] { s.gpu_blocks(i, j); }) == R"(error E0106 bad argument
  in gpu_blocks(s.i, s.j) at HERE
  the block loop j has other iterations in other blocks: N = 2 leaves out i = 0, j = 1, and a grid is a box
  to fix it: leave the loop sequential, or tag loops whose bounds do not depend on each other
)");
  s.gpu_blocks(i);
  CHECK(told(f, [&] { s.gpu_threads(j); }) == R"(error E0106 bad argument
  in gpu_threads(s.j) at HERE
  the number of iterations of loop j has no constant bound, so it cannot be the threads of a block
  to fix it: split j by a number and name its inner loop, as gpu_tile does
)");
}

TEST_CASE("E0106: more than a GPU has", "[error][gpu]") {
  Grid g;
  Computation s = g.copy("s");
  CHECK(told(g.f, [&] { s.gpu_tile(g.i, g.j, 64, 32); }) == R"(error E0106 bad argument
  in gpu_tile(s.i, s.j, 64, 32) at HERE
  a block of the launch of loop i would have 64 x 32 = 2048 threads, but a GPU has at most 1024 in a block
  to fix it: take smaller tiles, or split a thread loop and leave one of the two sequential
)");
  CHECK(told(g.f, [&] { s.gpu_tile(g.i, 2048); }) == R"(error E0106 bad argument
  in gpu_tile(s.i, 2048) at HERE
  a block of the launch of loop i would have 2048 threads on axis x, loop i_in, but a GPU has at most 1024 there
  to fix it: split i_in, and leave the loop inside or outside of it sequential
)");
  CHECK(told(g.f, [&] { s.gpu_tile(g.i, 0); }) == R"(error E0106 bad argument
  in gpu_tile(s.i, 0) at HERE
  a tile size is 0
  to fix it: a tile size must be 1 or more
)");
  CHECK(told(g.f, [&] { s.gpu_tile(g.i, g.j, 4, -1); }) == R"(error E0106 bad argument
  in gpu_tile(s.i, s.j, 4, -1) at HERE
  a tile size is -1
  to fix it: a tile size must be 1 or more
)");
  Var a("a", 0, g.N), b("b", 0, g.N), c("c", 0, g.N), d("d", 0, g.N);
  Computation v = g.f.computation("v", {a, b, c, d}, cast(f32, a + b + c + d));
  CHECK(told(g.f, [&] { v.gpu_tile(a, b, c, 128, 2, 2); }) == R"(error E0106 bad argument
  in gpu_tile(v.a, v.b, v.c, 128, 2, 2) at HERE
  a block of the launch of loop a would have 128 threads on axis z, loop a_in, but a GPU has at most 64 there
  to fix it: split a_in, and leave the loop inside or outside of it sequential
)");
  v.gpu_blocks(a, b, c);
  CHECK(told(g.f, [&] { v.gpu_blocks(d); }) == R"(error E0106 bad argument
  in gpu_blocks(v.d) at HERE
  4 block loops stand inside each other, but a GPU has 3 axes
  to fix it: tag three of them; the others can be sequential
)");
  CHECK(told(g.f, [&] { v.min_blocks(d, 2); }) == R"(error E0106 bad argument
  in min_blocks(v.d, 2) at HERE
  loop d is sequential, so it has no blocks
  to fix it: give it to gpu_blocks first
)");
}

TEST_CASE("E0106: threads of a parametric number", "[error][gpu]") {
  Grid g;
  Param T = g.f.param("T");
  Computation s = g.copy("s");
  s.split(g.i, T, i0, i1).gpu_blocks(i0);
  CHECK(told(g.f, [&] { s.gpu_threads(i1); }) == R"(error E0106 bad argument
  in gpu_threads(s.i1) at HERE
  the number of iterations of loop i1 has no constant bound, so it cannot be the threads of a block
  to fix it: split i1 by a number and name its inner loop, as gpu_tile does
)");
  CHECK(told(g.f, [&] { s.gpu_threads(g.j); }) == R"(error E0106 bad argument
  in gpu_threads(s.j) at HERE
  the number of iterations of loop j has no constant bound, so it cannot be the threads of a block
  to fix it: split j by a number and name its inner loop, as gpu_tile does
)");
}

TEST_CASE("E0502: more blocks on an axis than CUDA has", "[error][gpu][halide]") {
  Function f("f");
  Var i("i", 0, 70000), j("j", 0, 4);
  Computation s = f.computation("s", {i, j}, cast(f32, i + j));
  s.gpu_blocks(i, j);
  CHECK(refused_code(f, {s.buffer()}, "host-cuda") == R"(error E0502 code generation failed
  in codegen(f) at HERE
  a launch has 70000 blocks on axis y, loop i, but a device of this target has at most 65535 there
  to fix it: take larger tiles, or make it the innermost block loop
)");
}

TEST_CASE("E0502: what a device does not have", "[error][gpu][halide]") {
  Function f("f");
  Var i("i", 0, 100);
  Input in = f.input("in", f32, std::vector<Expr>(17, 2));
  std::vector<Expr> first(17, 0);
  Computation s = f.computation("s", {i}, access("in", f32, first, in.owner()));
  s.gpu_tile(i, 2);
  const std::vector<Buffer> arguments{in.buffer(), s.buffer()};
  CHECK(refused_code(f, arguments, "host-opencl") == R"(error E0502 code generation failed
  in codegen(f) at HERE
  the argument in has 17 dimensions, but a copy to a GPU at most 16
  to fix it: join some of its dimensions, or run its loops on the CPU
)");
  Function g("g");
  Computation t = g.computation("t", {i}, erf(cast(f32, i)));
  t.gpu_tile(i, 2);
  CHECK(refused_code(g, {t.buffer()}, "host-cuda") == R"(error E0502 code generation failed
  in codegen(g) at HERE
  erf is not a function of launches with CUDA
  to fix it: compute erf outside of the launch
)");
}

TEST_CASE("E0502: a launch calls a function of the host", "[error][gpu][halide]") {
  Function f("f");
  Var i("i", 0, f.param("N"));
  Computation s = f.computation("s", {i}, call(f64, "host_only", {1.0}));
  s.gpu_tile(i, 32);
  CHECK(refused_code(f, {s.buffer()}, "host-opencl") == R"(error E0502 code generation failed
  in codegen(f) at HERE
  the launch of loop i calls host_only, a function of the host
  to fix it: compute that outside of the launch
)");
}

}  // namespace strata::test::launches_test
