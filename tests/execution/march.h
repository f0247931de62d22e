// Five computations around a time loop, each of which may be a launch or run on the host.
#pragma once

#include <strata/strata.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace strata::test {

// first(i) = 3 start(i) + 1;  for t: { v(i) = (t == 0 ? first(i) : u(i)) + source(i);
//                                      u(i) = v(i - 1) + 2 v(i) }
// last(i) = u(N - 1 - i) + first(i), with u = 0 if T = 0;  out(i) = last(i) + first(i)
// where u and v have no place for t.
struct March {
  Function f{"march"};
  Param T = f.param("T"), N = f.param("N");
  Var t{"t", 0, T}, i{"i", 0, N};
  Input start = f.input("start", i32, {N}), source = f.input("source", i32, {N});
  Computation first = f.computation("first", {i}, start(i) * 3 + 1);
  std::optional<Computation> v, u, last, out;

  March() {
    f.loop(t, [&] {
      v = f.declare("v", {t, i}, i32);
      u = f.declare("u", {t, i}, i32);
    });
    v->define(select(t == 0, first(i), (*u)(t - 1, i)) + source(i));
    u->define((*v)(t, clamp(i - 1, 0, N - 1)) + 2 * (*v)(t, i));
    last = f.computation("last", {i}, select(T > 0, (*u)(T - 1, N - 1 - i), 0) + first(i));
    out = f.computation("out", {i}, (*last)(i) + first(i));
    u->store_in({i});
    v->store_in({i});
  }

  // Computation n becomes a launch.
  void launch(std::size_t n) {
    const std::array<Computation*, 5> all{&first, &*v, &*u, &*last, &*out};
    all[n]->gpu_tile(i, 16);
  }

  std::vector<Buffer> arguments() const { return {start.buffer(), source.buffer(), out->buffer()}; }
};

// Each step has a launch and a host nest that reads its row; returns the arguments.
inline std::vector<Buffer> define_rows(Function& f) {
  Param T = f.param("T"), N = f.param("N");
  f.assume(N >= 1);
  Var t("t", 0, T), i("i", 0, N);
  Input in = f.input("in", i32, {T, N});
  std::optional<Computation> r, s;
  f.loop(t, [&] {
    r = f.declare("r", {t, i}, i32);
    s = f.declare("s", {t}, i32);
  });
  r->define(in(t, i) * 2);
  s->define((*r)(t, 0) + select(t > 0, (*s)(t - 1), 0));
  r->gpu_tile(i, 8);
  return {in.buffer(), r->buffer(), s->buffer()};
}

}  // namespace strata::test
