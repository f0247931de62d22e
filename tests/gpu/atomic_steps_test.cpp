// Atomic steps among Halide's passes.
#include "codegen/halide/arithmetic/atomic_steps.h"

#include <catch2/catch.hpp>

#include "codegen/halide/passes/passes.h"
#include "codegen/halide/passes/verify.h"

namespace strata::test::atomic_steps_test {

using halide::HExpr;
using halide::HStmt;

namespace {

namespace hi = Halide::Internal;

HExpr index(int n) { return HExpr(std::int64_t{n}); }

HStmt store(int place, const HExpr& value) {
  return hi::Store::make("x", value, index(place), Halide::Parameter(), hi::const_true(),
                         hi::ModulusRemainder());
}

HStmt step(int place) {
  return halide::atomic_step(Op::add, Type::int32, "x", "x", index(place), HExpr(5),
                             Halide::DeviceAPI::CUDA);
}

// x in memory around the statement.
HStmt in_memory(const HStmt& s) {
  return hi::Allocate::make("x", Halide::Int(32), Halide::MemoryType::Heap, {8}, hi::const_true(),
                            s);
}

// The stores to x.
int stores(const HStmt& s) {
  class Count : public hi::IRVisitor {
   public:
    int found = 0;

   private:
    using IRVisitor::visit;
    void visit(const hi::Store* op) override {
      ++found;
      IRVisitor::visit(op);
    }
  } count;
  s.accept(&count);
  return count.found;
}

}  // namespace

TEST_CASE("passes keep what is stored before a step", "[halide][gpu][atomic]") {
  const HStmt s = in_memory(hi::Block::make({store(3, HExpr(7)), step(3), step(3)}));
  StageRun stages("steps");
  CHECK(stores(halide::lower(s, "steps", stages)) == 3);
}

TEST_CASE("a step that does not read its place is found", "[halide][gpu][atomic]") {
  const HStmt right = step(3);
  CHECK_NOTHROW(halide::verify(in_memory(right), "steps", "emit"));
  const HStmt elsewhere = in_memory(store(4, right.as<hi::Store>()->value));
  CHECK_THROWS_WITH(halide::verify(elsewhere, "steps", "emit"),
                    Catch::Contains("does not read the place that it stores to"));
}

TEST_CASE("memory that is used outside of its scope is found", "[halide]") {
  const HStmt store_3 = store(3, HExpr(7));
  CHECK_NOTHROW(halide::verify(in_memory(store_3), "steps", "emit"));
  CHECK_THROWS_WITH(halide::verify(store_3, "steps", "emit"),
                    Catch::Contains("the memory x that is written is not bound"));
}

}  // namespace strata::test::atomic_steps_test
