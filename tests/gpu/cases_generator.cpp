// cases_generator FOLDER TARGET: kernels of the shapes that other compilers are tested with, as
// objects for the device of TARGET.
#include "tests/gpu/generator.h"

namespace {

using namespace strata;

// The transpose of 128 x 256 elements in blocks of 16 x 16.
void transpose_128() {
  Function f("transpose_128");
  Var i("i", 0, 128), j("j", 0, 256);
  Input in = f.input("in", i32, {128, 256});
  Computation out = f.computation("out", {j, i}, in(i, j));
  out.gpu_tile(j, i, 16, 16);
  generate(f, {in.buffer(), out.buffer()});
}

// A product of 128 x 128 matrices: 16 x 16 threads of 4 x 4 sums each, in steps of 32.
void product_128() {
  Function f("product_128");
  Var i("i", 0, 128), j("j", 0, 128), k("k", 0, 128), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Var k0("k0"), k1("k1"), ti("ti"), tj("tj"), a("a"), b("b"), x("x"), y("y");
  Input A = f.input("A", f32, {128, 128}), B = f.input("B", f32, {128, 128});
  Computation C = f.computation("C", {i, j}, sum(k, A(i, k) * B(k, j)));
  C.tile(i, j, 64, 64, i0, j0, i1, j1);
  Computation acc = C.copy_at(j0, "acc", {x, y}, Memory::local);
  C.tile(x, y, 4, 4, ti, tj, a, b);
  acc.split(k, 32, k0, k1).tile(i1, j1, 4, 4, ti, tj, a, b);
  acc.interchange(b, k0).interchange(a, k0).interchange(tj, k0).interchange(ti, k0);
  acc.interchange(b, k1).interchange(a, k1);
  C.gpu_blocks(i0, j0).gpu_threads(ti, tj);
  acc.gpu_threads(ti, tj);
  acc.cache_shared_at(k0, A, "left", {x, y});
  acc.cache_shared_at(k0, B, "right", {x, y});
  acc.unroll(a).unroll(b);
  generate(f, {A.buffer(), B.buffer(), C.buffer()});
}

// Each step has memory of its own on the device, taken and given back: N and 2 N elements, and one
// more with each step.
void time_steps() {
  Function f("time_steps");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 0, N), j("j", 0, 2 * N);
  Input in = f.input("in", i32, {T, N});
  std::optional<Computation> r, s, q, out;
  f.loop(t, [&] {
    r = f.declare("r", {t, i}, i32);
    s = f.declare("s", {t, j}, i32);
    q = f.declare("q", Domain("[T] -> { q[t, m] : 0 <= t < T and 0 <= m <= t }"), i32);
    out = f.declare("out", {t, i}, i32);
  });
  r->define(in(t, i) + 1);
  s->define((*r)(t, j / 2) * 3 + cast(i32, j));
  q->define(cast(i32, Var("m") * 7));
  out->define((*s)(t, 2 * N - 1 - 2 * i) - (*s)(t, i) + (*q)(t, min(i, t)));
  for (Computation* c : {&*r, &*s, &*q}) c->allocate_at(*out, t);
  r->gpu_tile(i, 8);
  s->gpu_tile(j, 8);
  q->gpu_tile("m", 8);
  out->gpu_tile(i, 8);
  generate(f, {in.buffer(), out->buffer()});
}

}  // namespace

int main(int argc, char** argv) {
  return run_generator(argc, argv, [] {
    transpose_128();
    product_128();
    time_steps();
  });
}
