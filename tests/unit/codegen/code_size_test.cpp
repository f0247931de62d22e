// codegen/tree/code_size.h on hand-written loop trees.
#include <catch2/catch.hpp>

#include "codegen/passes/code_limit.h"
#include "codegen/tree/code_size.h"

namespace strata::test::code_size_test {

namespace {

// out[i] = in[i] * 2 + 1: the load, product, sum and store count four, leaves count nothing.
StmtPtr execution() {
  const Expr i = variable("i");
  Execute s;
  s.computation = "S";
  s.instance = {i};
  s.buffer = "out";
  s.indices = {i};
  s.value = load("in", f32, {i}) * constant(f32, 2) + constant(f32, 1);
  return make_stmt(s);
}

StmtPtr loop(Processor processor, std::optional<std::int64_t> extent, const StmtPtr& body) {
  For result;
  result.variable = result.name = "i";
  result.processor = processor;
  result.lower = constant(i64, 0);
  result.upper = extent ? constant(i64, *extent) : parameter("N");
  result.extent = extent;
  result.body = body;
  return make_stmt(result);
}

Kernel kernel(const StmtPtr& body) {
  Kernel result;
  result.name = "k";
  result.body = body;
  return result;
}

double units(const StmtPtr& body) { return code_size(kernel(body)).units; }

// For operations on one register.
constexpr double w = 1.001;

double straight(double operations) { return operations + operations * operations / 4000; }

double stored(double vectors) { return vectors * vectors * vectors / 220; }

}  // namespace

TEST_CASE("the size of a statement, and of loops that stay", "[code size]") {
  CHECK(units(execution()) == Approx((straight(4 * w) + 1) * 1.01));
  const auto forever = loop(Processor::sequential, std::nullopt, execution());
  CHECK(units(forever) == Approx((straight(4 * w) + 1 + straight(2)) * 1.02));
  CHECK(units(loop(Processor::unrolled, std::nullopt, execution())) == units(forever));
  CHECK(units(loop(Processor::parallel, 100, execution())) == units(forever));
  CHECK(units(loop(Processor::unrolled, 0, execution())) == 0);
}

TEST_CASE("the size of what is unrolled", "[code size]") {
  CHECK(units(loop(Processor::unrolled, 10, execution())) ==
        Approx((straight(40 * w) + 100) * 1.01));
  const auto inside = loop(Processor::sequential, std::nullopt, execution());
  CHECK(units(loop(Processor::unrolled, 10, inside)) ==
        Approx((10 * (straight(4 * w) + 1) + straight(20)) * 1.11));
  // A tree of 10^18 statements is counted without being built.
  StmtPtr deep = execution();
  for (int depth = 0; depth < 6; ++depth) deep = loop(Processor::unrolled, 1000, deep);
  CHECK(units(deep) > 1e18);
}

TEST_CASE("the size of vectors is that of their registers", "[code size]") {
  const auto lanes = [](std::int64_t count) {
    return units(loop(Processor::vector, count, execution()));
  };
  CHECK(lanes(2) == Approx((straight(4 * w) + stored(1)) * 1.01));
  CHECK(lanes(16) == lanes(2));
  CHECK(lanes(32) == Approx((straight(4 * 2.008) + stored(2)) * 1.01));
  CHECK(lanes(4096) > 25'000);
  For by_turns = std::get<For>(*loop(Processor::vector, 8, execution()));
  by_turns.lockstep = false;
  CHECK(units(make_stmt(by_turns)) == units(loop(Processor::sequential, 8, execution())));
}

TEST_CASE("many vectors that are stored in one piece of code are large", "[code size]") {
  const StmtPtr vectors = loop(Processor::unrolled, 200, loop(Processor::vector, 16, execution()));
  CHECK(units(vectors) == Approx((straight(800 * w) + stored(200)) * 1.01));
  Allocate stack;
  stack.buffer = "out";
  stack.type = f32;
  stack.lowers = {constant(i64, 0)};
  stack.extents = {constant(i64, 16)};
  stack.body = vectors;
  CHECK(units(make_stmt(stack)) == Approx(straight(800 * w) * 1.01));
}

TEST_CASE("values that share their parts are as large as what is computed once", "[code size]") {
  Expr value = load("in", f32, {variable("i")});
  for (int n = 0; n < 60; ++n) value = value + value;
  Execute s = std::get<Execute>(*execution());
  s.value = value;
  CHECK(units(make_stmt(s)) == Approx((straight(62 * w) + 1) * 1.01));
}

}  // namespace strata::test::code_size_test
