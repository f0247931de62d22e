// Expressions of the loop tree as Halide expressions.
//
// An integer expression can be emitted in two ways. As an index (loop bounds, conditions, indices
// of buffers) it does not overflow: the entry of the kernel has checked that (entry.h), so it uses
// Halide's plain arithmetic, which the simplifier understands. As a value it wraps (operations.h).
//
// A select evaluates only the side that it takes: a load on the other side could read memory that
// does not exist. So a load under conditions has their conjunction as its predicate, and reads
// nothing where it is false, lane by lane in a vector. A load in a vector with lanes switched off
// also has a predicate, unless its index is the same in all lanes. A load from a temporary that has
// padding for every such index needs none.
//
// A number that is computed from data is a value, even inside an index. Halide assumes that int64
// does not overflow, and moves terms from one side of a comparison to the other, and through
// minima. So a number that may be beyond 2^62 (exactness.h) is compared as an unsigned one. A
// smaller number that is computed from such numbers is hidden from the simplifier.
//
// An index that must be checked is emitted as one that is always in range. The emitter records what
// to report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/entry/padding.h"
#include "codegen/halide/emit/guards.h"
#include "codegen/halide/emit/scope.h"
#include "codegen/tree/exactness.h"

namespace strata::halide {

// A check that fails if "bad": the number "index" is needed, and lower <= index < upper does not
// hold. "what" describes the number.
struct IndexCheck {
  std::string what;
  HExpr index, bad, lower, upper;
};

class ExpressionEmitter {
 public:
  explicit ExpressionEmitter(const Scope& scope) : scope_(scope) {}
  // A load from a place in "padding" may happen even if it is not needed.
  ExpressionEmitter(const Scope& scope, const Padding& padding)
      : scope_(scope), padding_(&padding) {}
  // For code that runs in those iterations of the vector loop over "lane" in which "mask" is true.
  // If the mask is undefined, the code runs in all of them.
  ExpressionEmitter(const Scope& scope, const Padding& padding, HExpr mask, std::string lane)
      : scope_(scope), padding_(&padding), mask_(std::move(mask)), lane_(std::move(lane)) {}

  // The value of "e", in flight.
  HExpr value(const Expr& e);
  // The content of the memory at the place of a load, not converted.
  HExpr stored(const Expr& load);
  // The index, bound or condition "e".
  HExpr index(const Expr& e);
  std::vector<HExpr> indices(const std::vector<Expr>& list);
  // True if something was emitted for a device that happens only under a condition.
  bool has_branches() const { return has_branches_; }
  // The checks of everything emitted so far.
  const std::vector<IndexCheck>& checks() const { return checks_; }

 private:
  // The key is the node and, if the emission depends on it, the guard: its formula, or the address
  // of its path.
  using Memo = std::map<std::pair<const ExprNode*, std::uintptr_t>, HExpr>;

  template <typename Emit>
  HExpr whole(const Expr& e, const Emit& emit);
  HExpr emit_value(const Expr& e);
  HExpr emit_index(const Expr& e);
  HExpr operation(const Expr& e);
  HExpr compared(const Expr& e, const HExpr& a, const HExpr& b);
  bool is_moderate(const Expr& e);
  bool is_made_from_large(const Expr& e);
  HExpr operation_on_floats(const Expr& e);
  HExpr float_result(Op op, Type type, const std::vector<HExpr>& operands) const;
  HExpr fused(const HExpr& a, const HExpr& b, const HExpr& c) const;
  // True for a * b, and for a / c with a constant c that is computed as a * (1 / c).
  bool is_product(const Expr& e) const;
  std::pair<HExpr, HExpr> factors(const Expr& product);
  HExpr selected(const Expr& e, bool as_index);
  HExpr loaded(const Expr& e);
  HExpr stored_under(HExpr guard, const Expr& load);
  HExpr position_of(const Expr& load, const BufferView& buffer);
  HExpr called(const Expr& e);
  HExpr argument(const Expr& e);
  HExpr array_argument(const Expr& e);
  void require_32_bits(const Expr& array, const std::string& what, const HExpr& number);
  HExpr checked_index(const Expr& e);
  HExpr has_elements(const Expr& e);
  HExpr name(const Expr& e) const;
  bool depends_on_guard(const Expr& e);
  bool asks_for_guard(const Expr& e) const;
  bool is_unconditional(const Expr& e) const;
  HExpr guard_of(const Expr& e);
  HExpr remembered(Memo& memo, const Expr& e, HExpr (ExpressionEmitter::*emit)(const Expr&));
  void note_unconditional_loads(const Expr& e);
  bool is_loaded_anyway(const Expr& e) const;
  bool depends_on_lane(const Expr& load) const;
  HExpr guard_for(const Expr& load);

  const Scope& scope_;
  const Padding* padding_ = nullptr;
  HExpr mask_;  // undefined: always
  std::string lane_;
  Guards guards_;
  HExpr path_;  // the guard of this part, if each use is emitted separately; undefined: always
  bool inside_ = false, has_branches_ = false;
  std::size_t emitted_ = 0;
  std::vector<Expr> unconditional_;
  std::map<const ExprNode*, bool> noted_, made_of_data_, depends_;
  std::vector<IndexCheck> checks_;
  Exactness exactness_;
  Memo values_, indices_;
  std::vector<HExpr> alive_;  // keeps the paths whose addresses are keys
};

}  // namespace strata::halide
