// Barriers under conditions and bounds that depend on a thread.
#include "codegen/halide/passes/divergence.h"

#include <catch2/catch.hpp>

namespace strata::test::divergence_test {

using halide::find_divergence;
using halide::HExpr;
using halide::HStmt;

namespace {

namespace hi = Halide::Internal;

const std::string thread = "f" + hi::gpu_thread_name(0), block = "f" + hi::gpu_block_name(0);

HExpr var(const std::string& name) { return hi::Variable::make(Halide::Int(32), name); }

HStmt barrier() {
  return hi::Evaluate::make(hi::Call::make(Halide::Int(32), hi::Call::gpu_thread_barrier,
                                           {HExpr(3)}, hi::Call::Intrinsic));
}

HStmt loop(const std::string& name, hi::ForType type, const HExpr& extent, const HStmt& body) {
  return hi::For::make(name, 0, extent, type, Halide::Partition::Never, Halide::DeviceAPI::OpenCL,
                       body);
}

// The body of the threads of a block, and what is found.
std::string found(const HStmt& body) {
  return find_divergence(
      loop(block, hi::ForType::GPUBlock, var("n"), loop(thread, hi::ForType::GPUThread, 8, body)));
}

HStmt when(const HExpr& condition, const HStmt& body) {
  return hi::IfThenElse::make(condition, body);
}

}  // namespace

TEST_CASE("barriers that all threads pass", "[halide][gpu][barriers]") {
  const HStmt nothing = hi::Evaluate::make(0);
  CHECK(found(barrier()) == "");
  CHECK(found(when(var(block) < var("n"), barrier())) == "");
  CHECK(found(loop("k", hi::ForType::Serial, var("n"), when(var("k") > 0, barrier()))) == "");
  CHECK(found(hi::Block::make(when(var(thread) < 4, nothing), barrier())) == "");
  CHECK(found(hi::LetStmt::make("x", var(block) + 1, when(var("x") > 0, barrier()))) == "");
}

TEST_CASE("barriers that some threads miss", "[halide][gpu][barriers]") {
  CHECK(found(when(var(thread) < 4, barrier())) == "(" + thread + " < 4)");
  CHECK(found(hi::IfThenElse::make(var(thread) < 4, hi::Evaluate::make(0), barrier())) != "");
  CHECK(found(loop("k", hi::ForType::Serial, var(thread), barrier())) == thread);
  CHECK(found(hi::LetStmt::make("x", var(thread) + 1, when(var("x") > 0, barrier()))) == "(x > 0)");
  const HExpr inside = hi::Let::make("y", var(thread), var("y") > 0);
  CHECK(found(when(inside, barrier())) != "");
  // A name that is bound again.
  const HStmt inner = hi::LetStmt::make("x", HExpr(1), when(var("x") > 0, barrier()));
  CHECK(found(hi::LetStmt::make("x", var(thread), inner)) == "");
  // Memory of the thread.
  const HExpr own = hi::Load::make(Halide::Int(32), "own", 0, Halide::Buffer<>(),
                                   Halide::Parameter(), hi::const_true(), hi::ModulusRemainder());
  CHECK(found(hi::Allocate::make("own", Halide::Int(32), Halide::MemoryType::Register, {HExpr(1)},
                                 hi::const_true(), when(own > 0, barrier()))) != "");
}

}  // namespace strata::test::divergence_test
