// Several computations: fused, separate, in one loop from the start, with commands in any order.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include "tests/execution/harness.h"

namespace strata::test::nests_test {

namespace {

const Var i("i"), j("j");

// a = in + 1; b = a + its left neighbour; c = 2 b.
struct Chain {
  Function f{"chain"};
  Param N = f.param("N"), M = f.param("M");
  Input in;
  Computation a, b, c;

  explicit Chain(bool triangle)
      : in(f.input("in", i32, {N, M})),
        a(f.computation("a", iterators(triangle), in(i, j) + 1)),
        b(f.computation("b", iterators(triangle), a(i, j) + select(j > 0, a(i, j - 1), 7))),
        c(f.computation("c", iterators(triangle), b(i, j) * 2)) {}

  std::vector<Var> iterators(bool triangle) const {
    return {Var("i", 0, N), Var("j", 0, triangle ? min(i + 1, M) : Expr(M))};
  }
  std::vector<Buffer> arguments() const { return {in.buffer(), b.buffer(), c.buffer()}; }
};

struct Nests {
  std::string name;
  std::function<void(Chain&)> give;
};

const std::vector<Nests>& nests() {
  static const std::vector<Nests> all{
      {"apart", [](Chain&) {}},
      {"fused in i", [](Chain& p) { p.b.after(p.a, i), p.c.after(p.b, i); }},
      {"fused in j", [](Chain& p) { p.b.after(p.a, j), p.c.after(p.b, j); }},
      {"fused in j, then apart in j",
       [](Chain& p) { p.b.after(p.a, j), p.c.after(p.b, j), p.b.distribute_loop(j); }},
      {"fused in j, then apart in i",
       [](Chain& p) { p.b.after(p.a, j), p.c.after(p.b, j), p.b.distribute_loop(i); }},
      {"fused by fuse", [](Chain& p) { p.a.fuse(i, p.b, i), p.a.fuse(j, p.b, j); }},
      {"fused, then tiled, parallel, in vectors",
       [](Chain& p) {
         p.b.after(p.a, i);
         p.c.after(p.b, j);
         p.c.vectorize(j, 4).unroll(j, 2).parallelize(i);
         p.a.vectorize(j, 8);
       }},
      {"in vectors, then fused",
       [](Chain& p) {
         for (Computation* s : {&p.a, &p.b, &p.c}) s->vectorize(j, 4).parallelize(i);
         p.c.after(p.b, Var("j_lane"));
         p.b.after(p.a, j);
       }},
      {"tiled, then fused at the tiles",
       [](Chain& p) {
         for (Computation* s : {&p.a, &p.b, &p.c}) s->tile(i, j, 4, 3);
         p.b.after(p.a, j);
         p.c.after(p.b, Var("i_in"));
       }},
      {"fused, then the band of all three tiled",
       [](Chain& p) {
         p.b.after(p.a, j);
         p.c.after(p.b, j);
         p.c.tile(i, j, 3, 4).parallelize(i).interchange(Var("i_in"), Var("j_in"));
       }},
      {"fused with a shift",
       [](Chain& p) {
         p.f.together([&] {
           p.b.after(p.a, j);
           p.b.shift(j, 3);
         });
         p.b.vectorize(j, 4);
       }},
      {"fused backwards",
       [](Chain& p) {
         p.f.together([&] {
           for (Computation* s : {&p.a, &p.b, &p.c}) s->reverse(i);
           p.b.after(p.a, i);
           p.c.after(p.b, i);
         });
         p.b.distribute_loop(i).interchange(i, j);
       }},
      {"c inlined into nothing, a inlined",
       [](Chain& p) {
         p.a.set_inline();
         p.b.unroll(j, 3);
         p.c.after(p.b, j);
       }},
      {"between",
       [](Chain& p) {
         p.f.together([&] {
           p.c.after(p.a, root);
           p.b.between(p.a, i, p.c, std::nullopt);
         });
         p.b.parallelize(j);
       }},
  };
  return all;
}

const std::vector<std::pair<std::int64_t, std::int64_t>> sizes{{0, 3}, {1, 1}, {3, 4}, {5, 8},
                                                               {8, 3}, {4, 0}, {7, 9}};

}  // namespace

TEST_CASE("three computations in every order", "[nests]") {
  for (const bool triangle : {false, true})
    for (const Nests& one : nests()) {
      INFO((triangle ? "triangle: " : "box: ") << one.name);
      Chain p(triangle);
      try {
        one.give(p);
      } catch (const Error& e) {
        FAIL_CHECK(e.what());
        continue;
      }
      Judged judged(p.f, p.arguments());
      for (const auto& [n, m] : sizes) judged.check({n, m});
    }
}

TEST_CASE("computations defined in one loop", "[nests]") {
  const std::vector<std::function<void(Computation&, Computation&, Computation&)>> schedules{
      [](Computation&, Computation&, Computation&) {},
      [](Computation& a, Computation&, Computation&) { a.vectorize(i, 4); },
      [](Computation&, Computation& b, Computation&) { b.split(i, 4).unroll(Var("i_in")); },
      [](Computation& a, Computation&, Computation&) { a.distribute_loop(i); },
      [](Computation& a, Computation& b, Computation&) {
        a.distribute_loop(i);
        b.interchange(i, j).vectorize(i, 4);
      },
      [](Computation& a, Computation& b, Computation& c) {
        a.parallelize(i);
        b.vectorize(j, 4);
        c.after(b, i);
      },
      [](Computation& a, Computation&, Computation& c) {
        c.shift(i, 2);
        a.split(i, 3);
      },
  };
  for (std::size_t n = 0; n < schedules.size(); ++n) {
    INFO("schedule " << n);
    Function f("in_one_loop");
    Param N = f.param("N");
    Input in = f.input("in", i32, {N, N});
    const Var rows("i", 0, N), columns("j", 0, i + 1);
    std::vector<Computation> c;
    f.loop(rows, [&] {
      c.push_back(f.computation("a", {rows}, in(i, 0) * 2));
      c.push_back(f.computation("b", {rows, columns}, in(i, j) + c[0](i)));
      c.push_back(f.computation("c", {rows}, c[0](i) - c[1](i, i)));
    });
    try {
      schedules[n](c[0], c[1], c[2]);
    } catch (const Error& e) {
      FAIL_CHECK(e.what());
      continue;
    }
    Judged judged(f, {in.buffer(), c[1].buffer(), c[2].buffer()});
    for (const std::int64_t size : {0, 1, 4, 5, 9}) judged.check({size});
  }
}

TEST_CASE("a scan along one dimension under schedules of the other", "[nests]") {
  const std::vector<std::function<void(Computation&)>> schedules{
      [](Computation& s) { s.interchange(i, j).vectorize(i, 4); },
      [](Computation& s) { s.parallelize(i).unroll(j, 4); },
      [](Computation& s) { s.tile(i, j, 4, 4).interchange(Var("i_in"), Var("j_in")); },
      [](Computation& s) { s.skew(i, j, 1, 1, Var("x"), Var("y")).reverse(Var("y")); },
      [](Computation& s) { s.reverse(i).split(i, 3).split(j, 5).interchange(Var("i_in"), j); },
      [](Computation& s) { s.set_schedule("[N, M] -> { s[i, j] -> [0, i + 2j, 0, j, 0] }"); },
      [](Computation& s) {
        s.set_schedule(
            "[N, M] -> { s[i, j] -> [0, j, 0, i, 0] : j < 4; "
            "s[i, j] -> [1, i, 0, j, 0] : j >= 4 }");
      },
  };
  for (std::size_t n = 0; n < schedules.size(); ++n)
    for (const bool in_place : {false, true}) {
      INFO("schedule " << n << (in_place ? ", in place" : ""));
      Function f("scans");
      Param N = f.param("N"), M = f.param("M");
      Input in = f.input("in", i32, {N, M});
      Computation s = f.declare("s", {Var("i", 0, N), Var("j", 0, M)}, i32);
      s.define(in(i, j) + select(j > 0, 3 * s(i, j - 1), 0));
      if (in_place) s.store_in(in.buffer(), {i, j});
      try {
        schedules[n](s);
      } catch (const Error& e) {
        FAIL_CHECK(e.what());
        continue;
      }
      Judged judged(f, in_place ? std::vector{in.buffer()} : std::vector{in.buffer(), s.buffer()});
      for (const auto& [rows, columns] : sizes) judged.check({rows, columns});
    }
}

}  // namespace strata::test::nests_test
