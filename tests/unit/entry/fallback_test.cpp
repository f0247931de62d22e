// Kernels with a second body for arguments that are not dense.
#include <catch2/catch.hpp>

#include "codegen/entry/index_range.h"
#include "codegen/entry/loop_steps.h"
#include "tests/unit/entry/kernels.h"
#include "tests/unit/entry/views.h"

namespace strata::test::fallback_test {

namespace {

// y[i] = value
StmtPtr filled(std::int64_t value, const Expr& upper) {
  return loop("i", n(0), upper, store("y", {v("i")}, n(value)));
}

Kernel fill() {
  Kernel result =
      kernel("fill", {"N"}, {argument("y", i64, Access::written, {p("N")})}, filled(1, p("N")));
  result.fallback = filled(2, p("N"));
  return result;
}

}  // namespace

TEST_CASE("dense arguments run the body, others the fallback", "[halide]") {
  const JitKernel k(fill());
  std::vector<std::int64_t> memory(12, 0);
  View dense(strata_int(64), memory.data(), {{0, 4, 1, 0}});
  View strided(strata_int(64), memory.data(), {{0, 4, 3, 0}});
  View backward(strata_int(64), &memory[3], {{0, 4, -1, 0}});
  REQUIRE(k.call({4}, {dense}) == 0);
  CHECK(memory == std::vector<std::int64_t>{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0});
  REQUIRE(k.call({4}, {strided}) == 0);
  CHECK(memory == std::vector<std::int64_t>{2, 1, 1, 2, 0, 0, 2, 0, 0, 2, 0, 0});
  REQUIRE(k.call({4}, {backward}) == 0);
  CHECK(memory == std::vector<std::int64_t>{2, 2, 2, 2, 0, 0, 2, 0, 0, 2, 0, 0});
}

TEST_CASE("the entry checks the indices and loops of both bodies", "[halide]") {
  Kernel k = fill();
  const auto before = find_index_ranges(k).at("N");
  CHECK(find_steps_of_loops(k).size() == 2);
  k.fallback = filled(2, p("N") * n(std::int64_t{1} << 30) / n(std::int64_t{1} << 30));
  CHECK(find_index_ranges(k).at("N").highest < before.highest >> 20);
  k = fill();
  k.before = {k.body, filled(2, p("N") * n(std::int64_t{1} << 30))};
  CHECK(find_index_ranges(k).at("N").highest < before.highest >> 20);
}

}  // namespace strata::test::fallback_test
