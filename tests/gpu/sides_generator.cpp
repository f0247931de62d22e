// sides_generator FOLDER TARGET: kernels of launches and host code, as objects for a target.
#include <strata/strata.h>

#include "tests/execution/march.h"
#include "tests/gpu/generator.h"

namespace {

using namespace strata;

// Three launches and two host nests around a time loop.
void march() {
  test::March p;
  for (const std::size_t n : {1, 2, 3}) p.launch(n);
  generate(p.f, p.arguments());
}

void rows() {
  Function f("rows");
  generate(f, test::define_rows(f));
}

// A buffer of each step, on both sides.
void own_buffers() {
  Function f("own_buffers");
  Param T = f.param("T"), N = f.param("N");
  Var t("t", 0, T), i("i", 0, N);
  Input in = f.input("in", i32, {T, N});
  std::optional<Computation> r, s, out;
  f.loop(t, [&] {
    r = f.declare("r", {t, i}, i32);
    s = f.declare("s", {t, i}, i32);
    out = f.declare("out", {t, i}, i32);
  });
  r->define(in(t, i) + 1);
  s->define((*r)(t, i) * 3);
  out->define((*s)(t, N - 1 - i) + (*r)(t, i));
  r->allocate_at(*out, t);
  s->allocate_at(*out, t);
  s->gpu_tile(i, 8);
  generate(f, {in.buffer(), out->buffer()});
}

// Over every second element of an argument; the caller keeps the others.
void odd() {
  Function f("odd");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input x = f.input("x", i32, {2 * N});
  Computation y = f.computation("y", {i}, x(2 * i + 1) * 10);
  y.store_in(x.buffer(), {2 * i + 1});
  y.gpu_tile(i, 8);
  generate(f, {x.buffer()});
}

// From one resident argument to another.
void doubled() {
  Function f("doubled");
  Param N = f.param("N");
  Var i("i", 0, N);
  Input in = f.input("in", i32, {N});
  Computation out = f.computation("out", {i}, in(i) * 2);
  out.gpu_tile(i, 8);
  f.resident(in);
  f.resident(out);
  generate(f, {in.buffer(), out.buffer()});
}

// The same of rows, in vectors of 4 that are aligned where the rows are.
void doubled_rows() {
  Function f("doubled_rows");
  Param N = f.param("N"), M = f.param("M");
  f.assume(M % 4 == 0 && M > 0);
  Var i("i", 0, N), j("j", 0, M), v("v");
  Input in = f.input("in", i32, {N, M});
  Computation out = f.computation("out", {i, j}, in(i, j) * 2);
  out.split(j, 4, j, v).vectorize(v).gpu_tile(i, j, 4, 8);
  f.resident(in);
  f.resident(out);
  generate(f, {in.buffer(), out.buffer()});
}

// The same of boxes whose dense strides are constants.
void doubled_boxes() {
  Function f("doubled_boxes");
  Param N = f.param("N");
  Var i("i", 0, N), j("j", 0, 3), k("k", 0, 4);
  Input in = f.input("in", i32, {N, 3, 4});
  Computation out = f.computation("out", {i, j, k}, in(i, j, k) * 2);
  out.gpu_tile(i, j, k, 4, 3, 4);
  f.resident(in);
  f.resident(out);
  generate(f, {in.buffer(), out.buffer()});
}

// The sum of each row, from one resident argument to another.
void totals() {
  Function f("totals");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M);
  Input in = f.input("in", i32, {N, M});
  Computation out = f.computation("out", {i}, sum(k, in(i, k)));
  out.gpu_tile(i, 8);
  f.resident(in);
  f.resident(out);
  generate(f, {in.buffer(), out.buffer()});
}

// The least of each row, whose place nobody on the host reads.
void least() {
  Function f("least");
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), k("k", 0, M);
  Input in = f.input("in", i32, {N, M});
  Computation best = f.computation({"best", "at"}, {i}, argmin(k, in(i, k)));
  Computation out = f.computation("out", {i}, best(i) + 1);
  best.gpu_tile(i, 8);
  generate(f, {in.buffer(), out.buffer()});
}

}  // namespace

int main(int argc, char** argv) {
  return run_generator(argc, argv, [] {
    march();
    rows();
    own_buffers();
    odd();
    doubled();
    doubled_rows();
    doubled_boxes();
    totals();
    least();
  });
}
