// gpu_reports_generator FOLDER TARGET: kernels whose launches have indices made of data, which may
// be out of range, as objects for the device of TARGET.
#include <strata/strata.h>

#include <optional>

#include "tests/gpu/generator.h"

namespace {

using namespace strata;

// out(i) = table(at(i)) + i; on the host too, or with residents.
void lookup(const char* name, bool resident) {
  Function f(name);
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N);
  Input at = f.input("at", i64, {N}), table = f.input("table", i32, {M});
  Computation out = f.computation("out", {i}, table(at(i)) + cast(i32, i));
  out.gpu_tile(i, 32);
  if (resident) {
    f.resident(at);
    f.resident(table);
    f.resident(out);
  }
  generate(f, {at.buffer(), table.buffer(), out.buffer()});
}

// A picture at computed places, in vectors, where a mask says so.
void warp() {
  Function f("warp");
  Param N = f.param("N"), M = f.param("M"), H = f.param("H"), W = f.param("W");
  Var i("i", 0, N), j("j", 0, M), q("q"), v("v");
  Input y = f.input("y", f32, {N, M}), x = f.input("x", i32, {N, M});
  Input mask = f.input("mask", boolean, {N, M}), picture = f.input("picture", f32, {H, W});
  Computation out = f.computation(
      "out", {i, j}, select(mask(i, j), picture(cast(i64, floor(y(i, j))), x(i, j) + 1), 0.0f));
  out.split(j, 4, q, v).vectorize(v).gpu_tile(i, q, 8, 8);
  generate(f, {y.buffer(), x.buffer(), mask.buffer(), picture.buffer(), out.buffer()});
}

// Each thread has a row, and writes where "to" says.
void scatter() {
  Function f("scatter");
  Param N = f.param("N"), M = f.param("M"), C = f.param("C");
  Var i("i", 0, N), j("j", 0, M), c("c", 0, C);
  Input to = f.input("to", i32, {N, M}), in = f.input("in", i16, {N, M});
  Computation out = f.computation("out", {i, c}, constant(i16, -1));
  Computation placed = out.update({i, j}, {i, to(i, j)}, in(i, j));
  out.gpu_tile(i, 8);
  placed.gpu_tile(i, 8);
  generate(f, {to.buffer(), in.buffer(), out.buffer()});
}

// Counts in shared memory, then of all blocks.
void counts() {
  Function f("counts");
  Param R = f.param("R"), C = f.param("C");
  Input in = f.input("in", i32, {R, C});
  Var band("band", 0, (R + 3) / 4), bin("bin", 0, 16), r("r", 0, R), c("c", 0, C), v("v", 0, 16);
  Var g("g", 0, (R + 3) / 4), c0("c0"), c1("c1");
  Computation part = f.computation("part", {band, bin}, constant(i32, 0));
  Computation count = part.update({r, c}, {r / 4, in(r, c)}, part(r / 4, in(r, c)) + 1);
  Computation hist = f.computation("hist", {v}, sum(g, part(g, v)));
  count.split(r, 4, g, r);
  part.fuse(band, count, g);
  hist.interchange(v, g);
  count.fuse(band, hist, g);
  part.allocate_at(hist, band).set_memory(Memory::shared);
  hist.atomic().gpu_blocks(band).gpu_threads(v);
  count.atomic().split(c, 32, c0, c1).interchange(r, c1).gpu_threads(c1);
  part.gpu_threads(bin);
  generate(f, {in.buffer(), hist.buffer()});
}

// A launch and a nest of the host in each step, both with such indices.
void walk() {
  Function f("walk");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 0, N);
  Input next = f.input("next", i32, {N}), back = f.input("back", i32, {N});
  std::optional<Computation> r, s;
  f.loop(t, [&] {
    r = f.declare("r", {t, i}, i32);
    s = f.declare("s", {t, i}, i32);
  });
  r->define(select(t > 0, (*s)(t - 1, next(i)), cast(i32, i)));
  s->define((*r)(t, back(i)) + 1);
  r->gpu_tile(i, 8);
  generate(f, {next.buffer(), back.buffer(), r->buffer(), s->buffer()});
}

}  // namespace

int main(int argc, char** argv) {
  return run_generator(argc, argv, [] {
    lookup("lookup", false);
    lookup("lookup_there", true);
    warp();
    scatter();
    counts();
    walk();
  });
}
