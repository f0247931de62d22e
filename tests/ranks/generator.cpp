// ranks_generator FOLDER: writes the objects and headers of the programs that the tests run on
// ranks.
#include "tests/ranks/generate.h"

#include <cstdio>
#include <functional>
#include <optional>

namespace strata::test::ranks {
namespace {

std::string folder;

// Heat in one dimension, with fixed ends.
void make_heat() {
  Rows r("heat_1d");
  const Input g = r.f.input("g", f32, {r.N});
  const Var &t = r.t, &i = r.i;
  Computation u = r.f.declare("u", {t, i}, f32);
  const Expr old = u(t - 1, i);
  const Expr next = old + 0.25f * (u(t - 1, i - 1) + u(t - 1, i + 1) - 2.0f * old);
  u.define(select(t == 0, g(i), select(i > 0 && i < r.N - 1, next, old)));
  u.store_in({t % 2, i});
  u.distribute(i, r.rows);
  write(r.f, {g.buffer(), u.buffer()});
}

// A stencil with five points by rows; with vectors and threads inside.
void make_grid(const std::string& name, bool fast) {
  Rows r(name);
  const Param M = r.f.param("M");
  const Input g = r.f.input("g", i32, {r.N, M});
  const Var &t = r.t, &i = r.i, j("j", 0, M);
  Computation u = r.f.declare("u", {t, i, j}, i32);
  const Expr inside = i > 0 && i < r.N - 1 && j > 0 && j < M - 1;
  const Expr sum = 3 * u(t - 1, i, j) + u(t - 1, i - 1, j) + 5 * u(t - 1, i + 1, j) +
                   u(t - 1, i, j - 1) + 7 * u(t - 1, i, j + 1);
  u.define(select(t == 0, g(i, j), select(inside, sum, u(t - 1, i, j))));
  u.store_in({t % 2, i, j});
  u.distribute(i, r.rows);
  if (fast) u.vectorize(j, 8).parallelize(j);
  write(r.f, {g.buffer(), u.buffer()});
}

// Offsets -1 and 3: a halo that may be wider than the blocks.
void make_wide(const std::string& name, const std::function<void(Rows&, Computation&)>& schedule) {
  Rows r(name);
  const Input g = r.f.input("g", i32, {r.N});
  const Var &t = r.t, &i = r.i;
  Computation u = r.f.declare("u", {t, i}, i32);
  u.define(select(t == 0, g(i),
                  select(i > 0, u(t - 1, i - 1), 1) + select(i + 3 < r.N, 3 * u(t - 1, i + 3), 5)));
  u.store_in({t % 2, i});
  u.distribute(i, r.rows);
  schedule(r, u);
  write(r.f, {g.buffer(), u.buffer()});
}

// The same in pieces: the first steps apart, the last one, both; and the steps in twos.
void make_pieces() {
  make_wide("first_apart", [](Rows& r, Computation& u) { u.peel(r.t, 1); });
  make_wide("last_apart", [](Rows& r, Computation& u) { u.peel(r.t, -1); });
  make_wide("ends_apart", [](Rows& r, Computation& u) {
    u.peel(r.t, 2);
    u.piece("rest").peel(r.t, -1);
  });
  make_wide("in_pieces", [](Rows& r, Computation& u) {
    u.set_schedule(
        "{ u[t, i] -> first[0, t, 0, i, 0] : t = 0; "
        "u[t, i] -> later[1, t, 0, i, 0] : t > 0 }");
    u.piece("first").distribute(r.i, r.rows);
    u.piece("later").distribute(r.i, r.rows);
  });
  make_wide("in_twos", [](Rows& r, Computation& u) { u.split(r.t, 2); });
}

// Values that are read in two steps travel for the first one.
void make_two_steps() {
  Rows r("two_steps");
  const Input g = r.f.input("g", i32, {r.N});
  const Var &t = r.t, &i = r.i;
  Computation u = r.f.declare("u", {t, i}, i32);
  const Expr before = select(i > 0, u(t - 1, i - 1), 1);
  const Expr earlier =
      select(t > 1 && i > 0 && i < r.N - 1, 3 * u(t - 2, i - 1) + 5 * u(t - 2, i + 1), 7);
  u.define(select(t == 0, g(i), before + earlier));
  u.store_in({t % 3, i});
  u.distribute(i, r.rows);
  write(r.f, {g.buffer(), u.buffer()});
}

// v is made once and read in every step: each value travels once.
void make_fixed() {
  Rows r("fixed");
  const Input g = r.f.input("g", i32, {r.N});
  const Var &t = r.t, &i = r.i, k("k", 0, r.N);
  Computation v = r.f.computation("v", {k}, 7 * g(k));
  Computation u = r.f.declare("u", {t, i}, i32);
  u.define(select(t > 0, u(t - 1, i), 0) + select(i > 0, v(i - 1), 0) * cast(i32, t + 1) +
           select(i < r.N - 2, v(i + 2), 0));
  v.distribute(k, r.rows);
  u.store_in({t % 2, i});
  u.distribute(i, r.rows);
  write(r.f, {g.buffer(), u.buffer()});
}

// Two stages of a filter, and rows of the first one that travel.
void make_blur() {
  Rows r("blur_rows");
  const Param M = r.f.param("M");
  const Input g = r.f.input("g", i32, {r.N, M});
  const Var &i = r.i, y("y", 0, r.N - 2), j("j", 0, M - 2);
  Computation bx = r.f.computation("bx", {i, j}, g(i, j) + 3 * g(i, j + 1) + g(i, j + 2));
  Computation by = r.f.computation("by", {y, j}, bx(y, j) + 3 * bx(y + 1, j) + bx(y + 2, j));
  bx.distribute(i, r.rows);
  by.distribute(y, r.rows);
  write(r.f, {g.buffer(), by.buffer()});
}

// Each rank computes s, for which it needs all of v.
void make_everyone() {
  Rows r("everyone");
  const Input g = r.f.input("g", i32, {r.N});
  const Var &i = r.i, k("k", 0, r.N), x("x", 0, r.N), one("one", 0, 1);
  Computation v = r.f.computation("v", {i}, 7 * g(i) + cast(i32, i + 0));
  Computation s = r.f.computation("s", {one}, sum(k, v(k) * cast(i32, k + 1)));
  Computation w = r.f.computation("w", {x}, s(0) + v(x));
  v.distribute(i, r.rows);
  w.distribute(x, r.rows);
  write(r.f, {g.buffer(), w.buffer()});
}

// Values of a step that neighbours read in it: in a buffer of the kernel or, the same, of each
// step.
void make_within(const std::string& name, bool in_step) {
  Rows r(name);
  const Input g = r.f.input("g", i32, {r.N});
  const Var &t = r.t, &i = r.i, k("k", 0, r.N);
  std::optional<Computation> both[2];
  r.f.loop(t, [&] {
    both[0] = r.f.declare("a", {t, k}, i32);
    both[1] = r.f.declare("u", {t, i}, i32);
  });
  Computation &a = *both[0], &u = *both[1];
  a.define(select(t == 0, g(k), 3 * u(t - 1, k)));
  u.define(a(t, i) + select(i > 0, a(t, i - 1), 1) + select(i < r.N - 1, 5 * a(t, i + 1), 7));
  a.distribute(k, r.rows).store_in({k});
  u.distribute(i, r.rows).store_in({t % 2, i});
  if (in_step) a.allocate_at(u, t);
  write(r.f, {g.buffer(), u.buffer()});
}

// The number of steps is read from an input, and scalars are passed by value.
void make_read_steps() {
  Function f("read_steps");
  const Param N = f.param("N");
  const Input steps = f.input("steps", i32, {1}), g = f.input("g", i32, {N});
  const Param T = f.param("T", steps(0));
  const Scalar gain = f.scalar("gain", i32);
  const Scalar large = f.scalar("large", u64), scale = f.scalar("scale", f32);
  const Scalar half = f.scalar("half", f16);
  const Partition rows = f.partition("rows", N);
  const Var t("t", 0, T + 1), i("i", 0, N);
  f.assume(T >= 0);
  Computation u = f.declare("u", {t, i}, i32);
  const Expr more = cast(i32, large) + cast(i32, scale) + cast(i32, half);
  u.define(select(t == 0, g(i), select(i > 0, u(t - 1, i - 1), 1) * gain + more));
  u.store_in({t % 2, i});
  u.distribute(i, rows);
  write(f, {steps.buffer(), g.buffer(), u.buffer()});
}

// A product by rows of the left matrix: no messages.
void make_product() {
  Rows r("product");
  const Param M = r.f.param("M"), K = r.f.param("K");
  const Input a = r.f.input("a", i32, {r.N, K}), b = r.f.input("b", i32, {K, M});
  const Var &i = r.i, j("j", 0, M), k("k", 0, K);
  Computation c = r.f.computation("c", {i, j}, sum(k, a(i, k) * b(k, j)));
  c.distribute(i, r.rows);
  write(r.f, {a.buffer(), b.buffer(), c.buffer()});
}

void make_all() {
  make_heat();
  make_grid("grid_rows", false);
  make_grid("grid_fast", true);
  make_wide("wide", [](Rows&, Computation&) {});
  make_pieces();
  make_two_steps();
  make_fixed();
  make_blur();
  make_everyone();
  make_within("within_kernel", false);
  make_within("within_step", true);
  make_read_steps();
  make_product();
  make_results();
  make_reads();
}

}  // namespace

void write(Function& f, const std::vector<Buffer>& buffers) {
  CodegenOptions options;
  options.floats = Floats::exact;
  f.codegen(buffers, folder + "/" + f.name() + ".o", options);
}

}  // namespace strata::test::ranks

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  strata::test::ranks::folder = argv[1];
  try {
    strata::test::ranks::make_all();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
