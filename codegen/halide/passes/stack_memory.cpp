// Memory of its own for each small allocation on the stack.
#include <optional>

#include "codegen/halide/passes/passes.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// The sums of a register tile are at most as large as the vector registers. All together leave room
// on the stack of any thread.
constexpr std::int64_t largest = 4096, most_together = 64 * 1024;

class OwnMemory : public hi::IRMutator {
  using hi::IRMutator::visit;

  HStmt visit(const hi::Allocate* op) override {
    const auto bytes = size_of(*op);
    if (!bytes || together_ + *bytes > most_together) return IRMutator::visit(op);
    together_ += *bytes;
    const HExpr memory = hi::Call::make(Halide::Handle(), hi::Call::alloca,
                                        {HExpr(std::int32_t(*bytes))}, hi::Call::Intrinsic);
    return hi::LetStmt::make(op->name, memory, mutate(op->body));
  }

  static std::optional<std::int64_t> size_of(const hi::Allocate& a) {
    if (a.memory_type != Halide::MemoryType::Stack || a.new_expr.defined()) return std::nullopt;
    const std::int64_t bytes = std::int64_t(a.constant_allocation_size()) * a.type.bytes();
    return bytes > 0 && bytes <= largest ? std::optional(bytes) : std::nullopt;
  }

  std::int64_t together_ = 0;
};

HStmt of_host(const HStmt& statement) { return OwnMemory().mutate(statement); }

}  // namespace

HStmt with_own_stack_memory(const HStmt& statement) { return outside_launches(statement, of_host); }

}  // namespace strata::halide
