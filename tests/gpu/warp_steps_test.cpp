// Atomic steps that the threads of a warp take as one.
#include "codegen/halide/passes/warp_steps.h"

#include <catch2/catch.hpp>

#include "codegen/halide/arithmetic/atomic_steps.h"

namespace strata::test::warp_steps_test {

using halide::HExpr;
using halide::HStmt;

namespace {

namespace hi = Halide::Internal;

const std::string x = "f" + hi::gpu_thread_name(0), y = "f" + hi::gpu_thread_name(1),
                  block = "f" + hi::gpu_block_name(0);

HExpr var(const std::string& name) { return hi::Variable::make(Halide::Int(32), name); }

HExpr load(const HExpr& place) {
  return hi::Load::make(Halide::Int(32), "data", place, Halide::Buffer<>(), Halide::Parameter(),
                        hi::const_true(), hi::ModulusRemainder());
}

HStmt step(const HExpr& place, Halide::DeviceAPI api = Halide::DeviceAPI::CUDA) {
  return halide::atomic_step(Op::add, Type::int32, "sums", "sums", place, load(var(x)), api);
}

HStmt when(const HExpr& condition, const HStmt& body) {
  return hi::IfThenElse::make(condition, body);
}

HStmt let(const std::string& name, const HExpr& value, const HStmt& body) {
  return hi::LetStmt::make(name, value, body);
}

HStmt loop(const std::string& name, hi::ForType type, const HExpr& extent, const HStmt& body) {
  return hi::For::make(name, 0, extent, type, Halide::Partition::Never, Halide::DeviceAPI::CUDA,
                       body);
}

// What a body in threads becomes: its steps, shuffles and votes.
struct Counts {
  int steps = 0, shuffles = 0, votes = 0;
  bool operator==(const Counts&) const = default;
};

Counts made_of(const HStmt& body, int threads = 32) {
  class Count : public hi::IRVisitor {
   public:
    Counts found;

   private:
    using IRVisitor::visit;
    void visit(const hi::Store* op) override {
      found.steps += halide::step_in(*op).has_value();
      IRVisitor::visit(op);
    }
    void visit(const hi::Call* op) override {
      found.shuffles += op->name.starts_with("llvm.nvvm.shfl.sync");
      found.votes += op->name.starts_with("llvm.nvvm.vote.ballot.sync");
      IRVisitor::visit(op);
    }
  } count;
  const HStmt in_x = loop(x, hi::ForType::GPUThread, threads, body);
  halide::with_warp_steps(
      loop(block, hi::ForType::GPUBlock, var("n"), loop(y, hi::ForType::GPUThread, 4, in_x)))
      .accept(&count);
  return count.found;
}

constexpr Counts alone{1, 0, 0}, shuffled{1, 5, 0}, voted{1, 5, 1};

}  // namespace

TEST_CASE("a warp takes one step at the place of all its threads", "[halide][gpu][atomic]") {
  CHECK(made_of(step(var(block) * 4 + var(y))) == shuffled);
  CHECK(made_of(step(0), 128) == shuffled);
  CHECK(made_of(when(var(y) < var("m"), step(var(y)))) == shuffled);
  CHECK(made_of(when(var(x) < 64, step(var(y))), 128) == shuffled);
  CHECK(made_of(loop("k", hi::ForType::Serial, var("m"), step(var("k")))) == shuffled);
  CHECK(made_of(let("row", var(block) + var(y), step(var("row")))) == shuffled);
}

TEST_CASE("threads without a contribution bring a neutral one", "[halide][gpu][atomic]") {
  CHECK(made_of(when(var(x) < var("m"), step(0))) == voted);
  CHECK(made_of(when(var(y) < 3 && var(x) < var("m"), when(var(x) > 2, step(0)))) == voted);
  const HStmt bound = let("k", var(x) + 1, when(var("k") < var("m"), step(0)));
  CHECK(made_of(when(var(x) < 9, bound)) == voted);
}

TEST_CASE("steps of threads that may not meet stay alone", "[halide][gpu][atomic]") {
  CHECK(made_of(step(var(x))) == alone);
  CHECK(made_of(step(load(0))) == alone);
  CHECK(made_of(let("k", var(x), step(var("k")))) == alone);
  CHECK(made_of(step(0), 48) == alone);
  CHECK(made_of(step(0, Halide::DeviceAPI::OpenCL)) == alone);
  CHECK(made_of(when(load(var(x)) > 0, step(0))) == alone);
  CHECK(made_of(hi::IfThenElse::make(var(x) < 3, step(0), step(1))) == Counts{2, 0, 0});
  CHECK(made_of(when(var(x) < 3, hi::Block::make(step(0), step(1)))) == Counts{2, 0, 0});
  CHECK(made_of(loop("k", hi::ForType::Serial, var(x), step(0))) == alone);
  CHECK(made_of(loop("k", hi::ForType::Serial, load(0), step(0))) == alone);
}

}  // namespace strata::test::warp_steps_test
