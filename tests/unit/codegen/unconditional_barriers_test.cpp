// The pass that takes barriers out of conditions.
#include "codegen/passes/barriers.h"

#include <catch2/catch.hpp>

#include "codegen/passes/flatten.h"

namespace strata::test::unconditional_barriers_test {

namespace {

const Expr condition = parameter("N") >= 1, another = parameter("N") >= 2;

StmtPtr store(std::int64_t index) {
  const Expr at = constant(i64, index);
  return make_stmt(Execute{"S", {at}, "s", {at}, constant(i32, 1)});
}

StmtPtr block(std::vector<StmtPtr> body) { return make_stmt(Block{std::move(body)}); }
StmtPtr when(const Expr& c, StmtPtr then, StmtPtr otherwise = nullptr) {
  return make_stmt(If{c, std::move(then), std::move(otherwise)});
}
StmtPtr with_buffer(StmtPtr body) {
  return make_stmt(Allocate{"t", i32, {}, {}, std::move(body), Memory::shared});
}

const StmtPtr a = store(0), b = store(1), c = store(2), barrier = make_stmt(Barrier{});

std::string text(const StmtPtr& body) {
  Kernel kernel;
  kernel.name = "f";
  kernel.body = body;
  return to_c_text(flatten(kernel));
}

std::string passed(const StmtPtr& body) {
  Kernel kernel;
  kernel.body = body;
  return text(with_barriers_outside(kernel).body);
}

}  // namespace

TEST_CASE("a barrier leaves a condition, and what is around it stays under it", "[codegen][gpu]") {
  CHECK(passed(when(condition, block({a, barrier, b, c}))) ==
        text(block({when(condition, a), barrier, when(condition, block({b, c}))})));
  CHECK(passed(when(condition, barrier)) == text(barrier));
}

TEST_CASE("a barrier leaves conditions in conditions, and around buffers", "[codegen][gpu]") {
  const StmtPtr inner = when(another, block({b, barrier, c}));
  CHECK(passed(when(condition, block({a, inner}))) ==
        text(block({when(condition, block({a, when(another, b)})), barrier,
                    when(condition, when(another, c))})));
  CHECK(passed(when(condition, with_buffer(block({a, barrier, b})))) ==
        text(with_buffer(block({when(condition, a), barrier, when(condition, b)}))));
}

TEST_CASE("conditions with two sides, and around loops with barriers, stay", "[codegen][gpu]") {
  const StmtPtr both = when(condition, block({a, barrier, b}), block({c, barrier}));
  CHECK(passed(both) == text(both));
  const Expr zero = constant(i64, 0), four = constant(i64, 4);
  const StmtPtr loop =
      make_stmt(For{{"k", Processor::sequential}, "k", zero, four, 4, block({a, barrier, b})});
  CHECK(passed(when(condition, loop)) == text(when(condition, loop)));
}

}  // namespace strata::test::unconditional_barriers_test
