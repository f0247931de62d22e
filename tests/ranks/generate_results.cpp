// Results of reductions, tuples and conditional updates that other ranks read, and several arrays
// in one message.
#include <array>
#include <optional>

#include "tests/ranks/generate.h"

namespace strata::test::ranks {
namespace {

// The greatest element of each row and where it is, and the sum of the others: the next rows read
// them. With one column the sum has no contributions.
void make_row_results() {
  Rows r("row_results");
  const Param M = r.f.param("M");
  r.f.assume(M >= 1);
  const Input g = r.f.input("g", i32, {r.N, M});
  const Var &i = r.i, k("k", 0, M), x("x", 0, r.N), l("l", 1, M), y("y", 0, r.N);
  Computation best = r.f.computation({"best", "at"}, {i}, argmax(k, g(i, k)));
  Computation s = r.f.computation("s", {x}, sum(l, g(x, l)));
  const Expr before = best(y - 1) + cast(i32, best.component(1)(y - 1));
  Computation w =
      r.f.computation("w", {y}, select(y > 0, before, 1) + select(y + 2 < r.N, 3 * s(y + 2), 5));
  best.distribute(i, r.rows);
  s.distribute(x, r.rows);
  w.distribute(y, r.rows);
  write(r.f, {g.buffer(), w.buffer()});
}

// Two products; the second one needs all of the first. With the loops over contributions outside,
// every rank has its partial sums in place.
void make_products(const std::string& name, bool outer) {
  Rows r(name);
  const Param M = r.f.param("M");
  const Input a = r.f.input("a", i32, {r.N, M}), b = r.f.input("b", i32, {M, M});
  const Var &i = r.i, j("j", 0, M), k("k", 0, M), x("x", 0, r.N), y("y", 0, M), z("z", 0, r.N);
  Computation d = r.f.computation("d", {i, j}, sum(k, a(i, k) * b(k, j)));
  Computation e = r.f.computation("e", {x, y}, sum(z, cast(i32, x + 2 * z) * d(z, y)));
  if (outer) {
    d.reorder({k, i, j});
    e.reorder({z, x, y});
  }
  d.distribute(i, r.rows);
  e.distribute(x, r.rows);
  write(r.f, {a.buffer(), b.buffer(), e.buffer()});
}

// Each step sums up three results of the step before.
void make_smooth() {
  Rows r("smooth");
  const Input g = r.f.input("g", i32, {r.N});
  const Var &t = r.t, &i = r.i, k("k", 0, 3);
  Computation u = r.f.declare("u", {t, i}, i32);
  const Expr near = clamp(i + k - 1, 0, r.N - 1);
  u.define(sum(k, cast(i32, k + 1) * select(t == 0, g(i), u(t - 1, near))));
  u.store_in({t % 2, i});
  u.distribute(i, r.rows);
  write(r.f, {g.buffer(), u.buffer()});
}

// Rows whose number in g is even are replaced, from another row; neighbours read all of them.
void make_replaced() {
  Rows r("replaced");
  const Input g = r.f.input("g", i32, {r.N});
  const Var &i = r.i, x("x", 0, r.N - 1), y("y", 0, r.N), z("z", 0, r.N);
  Computation v = r.f.computation("v", {i}, 3 * g(i));
  Computation w = r.f.computation("w", {z}, 7 * g(z) + 1);
  Computation u = v.update({x}, {x}, v(x) + w(x + 1));
  u.where(g(x) % 2 == 0);
  Computation out = r.f.computation("out", {y}, v(y) + select(y > 0, 5 * v(y - 1), 9));
  v.distribute(i, r.rows);
  w.distribute(z, r.rows);
  u.distribute(x, r.rows);
  out.distribute(y, r.rows);
  write(r.f, {g.buffer(), out.buffer()});
}

// Atomic steps of a row are on its rank; what travels is the sum after the last one.
void make_steps() {
  Rows r("steps");
  const Param M = r.f.param("M");
  const Input g = r.f.input("g", i32, {r.N, M});
  const Var &i = r.i, x("x", 0, r.N), k("k", 0, M), y("y", 0, r.N);
  Computation v = r.f.computation("v", {i}, cast(i32, i + 0));
  Computation u = v.update({x, k}, {x}, v(x) + g(x, k));
  Computation out = r.f.computation("out", {y}, v(y) + select(y > 0, 5 * v(y - 1), 9));
  u.atomic();
  u.interchange(x, k);
  v.distribute(i, r.rows);
  u.distribute(x, r.rows);
  out.distribute(y, r.rows);
  write(r.f, {g.buffer(), out.buffer()});
}

// The sum of all elements, by partial sums of rows, which every rank adds up.
void make_partial() {
  Rows r("partial");
  const Param M = r.f.param("M");
  const Input g = r.f.input("g", i32, {r.N, M});
  const Var one("one", 0, 1), k("k", 0, r.N), l("l", 0, M), x("x", 0, r.N);
  Computation s = r.f.computation("s", {one}, sum({k, l}, g(k, l)));
  Computation w = r.f.computation("w", {x}, s(0) + cast(i32, x + 0));
  Computation part = s.rfactor(k, "part");
  part.distribute(k, r.rows);
  w.distribute(x, r.rows);
  write(r.f, {g.buffer(), w.buffer()});
}

// Three fields of int32 and three of int64, each of which needs its neighbour in the other.
void make_fields() {
  Rows r("fields");
  const Input g = r.f.input("g", i32, {r.N});
  const Var &t = r.t, &i = r.i, k("k", 0, r.N);
  std::array<std::optional<Computation>, 3> e, h;
  r.f.loop(t, [&] {
    for (int c = 0; c < 3; ++c)
      e[std::size_t(c)] = r.f.declare("e" + std::to_string(c), {t, i}, i32);
    for (int c = 0; c < 3; ++c)
      h[std::size_t(c)] = r.f.declare("h" + std::to_string(c), {t, k}, i64);
  });
  for (int c = 0; c < 3; ++c) {
    Computation &ec = *e[std::size_t(c)], &hc = *h[std::size_t((c + 1) % 3)];
    const Expr turn = cast(i32, hc(t - 1, i)) - select(i > 0, cast(i32, hc(t - 1, i - 1)), 0);
    ec.define(select(t == 0, (c + 1) * g(i), ec(t - 1, i) + turn));
  }
  for (int c = 0; c < 3; ++c) {
    Computation &ec = *e[std::size_t((c + 2) % 3)], &hc = *h[std::size_t(c)];
    const Expr turn =
        select(k + 1 < r.N, cast(i64, ec(t, k + 1)), cast(i64, 0)) - cast(i64, ec(t, k));
    hc.define(select(t > 0, hc(t - 1, k), cast(i64, 0)) + turn);
  }
  std::vector<Buffer> buffers{g.buffer()};
  for (auto* fields : {&e, &h})
    for (std::size_t c = 0; c < 3; ++c) {
      Computation& one = *(*fields)[c];
      if (c > 0) one.after(*(*fields)[c - 1], fields == &e ? i : k);
      one.store_in({t % 2, fields == &e ? i : k});
      buffers.push_back(one.buffer());
    }
  e[0]->distribute(i, r.rows);
  h[0]->distribute(k, r.rows);
  write(r.f, buffers);
}

}  // namespace

void make_results() {
  make_row_results();
  make_products("products", false);
  make_products("products_outer", true);
  make_smooth();
  make_replaced();
  make_steps();
  make_fields();
  make_partial();
}

}  // namespace strata::test::ranks
