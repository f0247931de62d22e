#include <bit>

#include "tests/error/broken_calls.h"

namespace strata::test {

namespace {

using Rng = std::mt19937;

float as_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
std::uint64_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }

std::function<Numbers(Rng&)> numbers_below(std::vector<std::uint32_t> bounds,
                                           std::int64_t step = 1) {
  return [=](Rng& g) {
    Numbers out;
    for (const std::uint32_t bound : bounds)
      out.push_back(step * static_cast<std::int64_t>(g() % bound));
    return out;
  };
}

bool anything(const Numbers&) { return true; }

// Are all parameters at least "least"?
std::function<bool(const Numbers&)> at_least(std::int64_t least) {
  return [=](const Numbers& p) {
    for (const std::int64_t value : p)
      if (value < least) return false;
    return true;
  };
}

CodegenOptions exact() {
  CodegenOptions options;
  options.floats = Floats::exact;
  return options;
}

// Parallel rows, vectors, and an assumption.
Kind smooth() {
  Function f("smooth");
  Param N = f.param("N"), M = f.param("M");
  f.assume(M % 2 == 0);
  Input in = f.input("in", f32, {N, M}), w = f.input("w", f32, {M});
  Var i("i", 0, N), j("j", 1, M - 1);
  Computation out = f.computation("out", {i, j}, in(i, j) + in(i, j + 1) + w(j));
  out.vectorize(j, 8).parallelize(i);
  return {"smooth",
          f.jit({in.buffer(), w.buffer(), out.buffer()}, exact()),
          {{"in", strata_float(32), false,
            [](const Numbers& p) { return std::vector<Interval>{{0, p[0]}, {1, p[1]}}; }},
           {"w", strata_float(32), false,
            [](const Numbers& p) { return std::vector<Interval>{{1, p[1] - 1}}; }},
           {"out", strata_float(32), true,
            [](const Numbers& p) { return std::vector<Interval>{{0, p[0]}, {1, p[1] - 1}}; }}},
          numbers_below({7, 12}, 2),
          [](const Numbers& p) { return p[0] > 0 && p[1] > 2; },
          [](const Numbers& p) { return p[1] % 2 == 0; },
          2,
          [](const Call& c, const Numbers& i) {
            return bits_of(as_float(c.element(0, i)) + as_float(c.element(0, {i[0], i[1] + 1})) +
                           as_float(c.element(1, {i[1]})));
          }};
}

Kind shifted_bytes() {
  Function f("shifted_bytes");
  Param N = f.param("N");
  Input in = f.input("in", u8, {N});
  Var i("i", 1, N - 1);
  Computation out = f.computation("out", {i}, min(in(i - 1), in(i + 1)));
  out.vectorize(i, 16);
  return {"shifted_bytes",
          f.jit({out.buffer(), in.buffer()}),
          {{"out", strata_uint(8), true,
            [](const Numbers& p) { return std::vector<Interval>{{1, p[0] - 1}}; }},
           {"in", strata_uint(8), false,
            [](const Numbers& p) { return std::vector<Interval>{{0, p[0]}}; }}},
          numbers_below({70}),
          at_least(3),
          anything,
          0,
          [](const Call& c, const Numbers& i) {
            return std::min(c.element(1, {i[0] - 1}), c.element(1, {i[0] + 1}));
          }};
}

Kind turned_halves() {
  Function f("turned_halves");
  Param N = f.param("N"), M = f.param("M"), K = f.param("K");
  Input in = f.input("in", f16, {K, N, M});
  Var i("i", 0, N), j("j", 0, M), k("k", 0, K);
  Computation out = f.computation("out", {i, j, k}, in(k, i, j));
  out.tile(i, j, 4, 4);
  return {
      "turned_halves",
      f.jit({in.buffer(), out.buffer()}),
      {{"in", strata_float(16), false,
        [](const Numbers& p) { return std::vector<Interval>{{0, p[2]}, {0, p[0]}, {0, p[1]}}; }},
       {"out", strata_float(16), true,
        [](const Numbers& p) { return std::vector<Interval>{{0, p[0]}, {0, p[1]}, {0, p[2]}}; }}},
      numbers_below({8, 8, 8}),
      at_least(1),
      anything,
      1,
      [](const Call& c, const Numbers& i) { return c.element(0, {i[2], i[0], i[1]}); }};
}

// Four dimensions, and a temporary in the heap.
Kind temporaries() {
  Function f("temporaries");
  Param N = f.param("N"), M = f.param("M");
  Input in = f.input("in", i64, {N, M, 2, 3});
  Var i("i", 0, N), j("j", 0, M), k("k", 0, 2), l("l", 0, 3);
  Computation t = f.computation("t", {i, j, k, l}, in(i, j, k, l) * 3);
  Computation out = f.computation("out", {i, j, k, l}, t(i, j, k, l) + 1);
  const auto box = [](const Numbers& p) {
    return std::vector<Interval>{{0, p[0]}, {0, p[1]}, {0, 2}, {0, 3}};
  };
  return {"temporaries",
          f.jit({in.buffer(), out.buffer()}),
          {{"in", strata_int(64), false, box}, {"out", strata_int(64), true, box}},
          numbers_below({6, 6}),
          at_least(1),
          anything,
          1,
          [](const Call& c, const Numbers& i) { return c.element(0, i) * 3 + 1; }};
}

// The output is stored in the memory of an input: both are one argument.
Kind in_place() {
  Function f("in_place");
  Param N = f.param("N"), M = f.param("M");
  Input x = f.input("x", i32, {N, M}), y = f.input("y", i32, {M});
  Var i("i", 0, N), j("j", 0, M);
  Computation out = f.computation("out", {i, j}, x(i, j) + y(j));
  out.store_in(x.buffer());
  out.vectorize(j, 4);
  return {"in_place",
          f.jit({x.buffer(), y.buffer()}),
          {{"x", strata_int(32), true,
            [](const Numbers& p) { return std::vector<Interval>{{0, p[0]}, {0, p[1]}}; }},
           {"y", strata_int(32), false,
            [](const Numbers& p) { return std::vector<Interval>{{0, p[1]}}; }}},
          numbers_below({9, 9}),
          at_least(1),
          anything,
          0,
          [](const Call& c, const Numbers& i) {
            return (c.element(0, i) + c.element(1, {i[1]})) & 0xffffffffu;
          }};
}

Kind sizes_from_data() {
  Function f("sizes_from_data");
  Input sizes = f.input("sizes", i32, {2});
  Param N = f.param("N", sizes(0)), M = f.param("M", sizes(1));
  Input in = f.input("in", i16, {N, M});
  Var i("i", 0, N), j("j", 0, M);
  Computation out = f.computation("out", {j, i}, in(i, j));
  return {"sizes_from_data",
          f.jit({sizes.buffer(), in.buffer(), out.buffer()}),
          {{"sizes", strata_int(32), false,
            [](const Numbers&) { return std::vector<Interval>{{0, 2}}; }},
           {"in", strata_int(16), false,
            [](const Numbers& p) { return std::vector<Interval>{{0, p[0]}, {0, p[1]}}; }},
           {"out", strata_int(16), true,
            [](const Numbers& p) { return std::vector<Interval>{{0, p[1]}, {0, p[0]}}; }}},
          numbers_below({9, 9}),
          at_least(1),
          anything,
          2,
          [](const Call& c, const Numbers& i) { return c.element(1, {i[1], i[0]}); },
          true};
}

// Arguments without dimensions; the result is written even if the sum is empty.
Kind scalars() {
  Function f("scalars");
  Param N = f.param("N");
  Input scale = f.input("scale", u32, {}), in = f.input("in", u32, {N});
  Computation total = f.computation("total", {}, sum(Var("k", 0, N), in(Expr(Var("k")))*scale()));
  return {
      "scalars",
      f.jit({scale.buffer(), in.buffer(), total.buffer()}),
      {{"scale", strata_uint(32), false, [](const Numbers&) { return std::vector<Interval>{}; }},
       {"in", strata_uint(32), false,
        [](const Numbers& p) { return std::vector<Interval>{{0, p[0]}}; }},
       {"total", strata_uint(32), true, [](const Numbers&) { return std::vector<Interval>{}; }}},
      numbers_below({40}),
      at_least(1),
      anything,
      2,
      [](const Call& c, const Numbers&) {
        std::uint32_t total = 0;
        for (std::int64_t k = 0; k < c.parameters[0]; ++k)
          total += static_cast<std::uint32_t>(c.element(1, {k}) * c.element(0, {}));
        return std::uint64_t{total};
      }};
}

// "at" may name any element of "in".
Kind gathered() {
  Function f("gathered");
  Param N = f.param("N");
  Input at = f.input("at", u8, {N}), in = f.input("in", u16, {256});
  Var i("i", 0, N);
  Computation out = f.computation("out", {i}, in(at(i)));
  out.vectorize(i, 8);
  return {"gathered",
          f.jit({at.buffer(), in.buffer(), out.buffer()}),
          {{"at", strata_uint(8), false,
            [](const Numbers& p) { return std::vector<Interval>{{0, p[0]}}; }},
           {"in", strata_uint(16), false,
            [](const Numbers&) { return std::vector<Interval>{{0, 256}}; }},
           {"out", strata_uint(16), true,
            [](const Numbers& p) { return std::vector<Interval>{{0, p[0]}}; }}},
          numbers_below({50}),
          at_least(1),
          anything,
          2,
          [](const Call& c, const Numbers& i) {
            return c.element(1, {static_cast<std::int64_t>(c.element(0, i))});
          }};
}

Kind chosen() {
  Function f("chosen");
  Param N = f.param("N"), M = f.param("M");
  Input which = f.input("which", boolean, {N}), in = f.input("in", bf16, {N, M});
  Var i("i", 0, N), j("j", 0, M);
  Computation out = f.computation("out", {i, j}, select(which(i), in(i, j), in(i, M - 1 - j)));
  const auto box = [](const Numbers& p) { return std::vector<Interval>{{0, p[0]}, {0, p[1]}}; };
  return {"chosen",
          f.jit({which.buffer(), in.buffer(), out.buffer()}),
          {{"which", strata_boolean(), false,
            [](const Numbers& p) { return std::vector<Interval>{{0, p[0]}}; }},
           {"in", strata_bfloat16(), false, box},
           {"out", strata_bfloat16(), true, box}},
          numbers_below({9, 9}),
          at_least(1),
          anything,
          2,
          [](const Call& c, const Numbers& i) {
            const bool first = c.element(0, {i[0]}) != 0;
            return c.element(1, first ? i : Numbers{i[0], c.parameters[1] - 1 - i[1]});
          },
          false,
          2};
}

}  // namespace

std::vector<Kind> kinds_of_kernels() {
  return {smooth(),          shifted_bytes(), turned_halves(), temporaries(), in_place(),
          sizes_from_data(), scalars(),       gathered(),      chosen()};
}

}  // namespace strata::test
