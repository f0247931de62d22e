// Copies of arrays that are read at indices which are checked when the kernel runs, and indices
// that are divided by negative numbers.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>

#include <algorithm>

#include "tests/execution/harness.h"

namespace strata::test::checked_copies_test {

TEST_CASE("a copy of what is read at a checked index", "[memory]") {
  for (const bool of_input : {true, false}) {
    Function f("gather");
    Param N = f.param("N");
    Var i("i", 0, N), j("j", 0, N), x("x");
    Input in = f.input("in", i32, {N}), at = f.input("at", i8, {N});
    Computation s = f.computation("s", {i}, in(i) + 1);
    Computation o = f.computation("o", {j}, of_input ? in(at(j)) : s(at(j)));
    if (of_input)
      o.cache_at(j, in, "copy", {x});
    else
      o.cache_at(j, s, "copy", {x});
    Judged judged(f, {in.buffer(), at.buffer(), o.buffer()});
    const auto within = [&](std::int64_t size) {
      reference::Arrays given;
      given["at"] =
          reference::filled(f.program(), {{"N", size}}, "at", [&](const reference::Point& p) {
            return double((7 * p[0] + 3) % std::min<std::int64_t>(size, 128));
          });
      return given;
    };
    for (const std::int64_t size : {1, 5, 100, 200}) judged.check({size}, within(size));
    Array<std::int32_t> values({5}), out({5});
    Array<std::int8_t> indices({5});
    indices(3) = -1;
    CHECK(judged.kernel()({5}, {values, indices, out}) == strata_error_index_out_of_range);
  }
}

TEST_CASE("indices divided by negative constants", "[memory]") {
  for (const std::int64_t by : {-1, -2, -3, -7}) {
    INFO("divided by " << by);
    Function f("divided");
    Var i("i", 0, 50);
    Input in = f.input("in", i32, {101});
    Computation quotient = f.computation("quotient", {i}, in(i / by + 50));
    Computation remainder = f.computation("remainder", {i}, in(i % by + 50));
    quotient.vectorize(i, 8);
    Judged judged(f, {in.buffer(), quotient.buffer(), remainder.buffer()});
    reference::Arrays given;
    given["in"] = reference::filled(f.program(), {}, "in",
                                    [](const reference::Point& p) { return double(p[0]); });
    const auto after = judged.check({}, given);
    for (std::int64_t x = 0; x < 50; ++x) {
      const std::int64_t floor = -((x + -by - 1) / -by);
      CHECK(after["quotient"].integer({x}) == floor + 50);
      CHECK(after["remainder"].integer({x}) == x - floor * by + 50);
    }
  }
}

}  // namespace strata::test::checked_copies_test
