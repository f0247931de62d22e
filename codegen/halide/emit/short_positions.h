// Positions of gathers in 32 bits.
//
// A gather whose positions have 64 bits takes twice the instructions of one with 32 bits, and so
// does the arithmetic before it. In a small buffer (BufferView::small) the indices of all elements
// are in [-2^30, 2^30) and their positions in [0, 2^31). So a position modulo 2^31 says which
// element it is. Sums, differences and products are computed modulo 2^32. Minima and maxima in an
// index e need the order of their operands. Let [y] be y limited to [-2^31, 2^31), and s the
// constant that is added to the data. Then
//     e = s + [e - s],   [min(a, b)] = min([a], [b]),   [cast(x) + s - s] = [x]
// for 32-bit data or floats x, if |s| <= 2^30. If e is the index of an element, e - s is within the
// limits; if it is not, nothing is loaded.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/exactness.h"
#include "codegen/tree/loop_tree.h"
#include "core/expr/expr_memo.h"

namespace strata::halide {

// Says which loads have short positions, and emits the position of one of them.
class ShortPositions {
 public:
  // In the lanes of the vector loop over "lane".
  explicit ShortPositions(std::string lane) : lane_(std::move(lane)) {}

  // True if the load is a gather of elements of 32 bits or more, and its position can be computed
  // in 32 bits, without any 64-bit number that differs from lane to lane.
  bool has(const Expr& load);

  // The position of the load's element in a small buffer, as an Int(32) that LLVM knows to fit in
  // 31 bits. So a gather takes it as it is, and a lane that is loaded by itself needs no sign
  // extension. (For an Int(64) LLVM would extend the vector, and take its lanes from twice as many
  // registers.) "value" and "index" emit parts of the indices.
  using Emit = std::function<HExpr(const Expr&)>;
  HExpr position(const Expr& load, const BufferView& buffer, const Emit& value, const Emit& index);

 private:
  using Shifted = std::pair<const ExprNode*, std::int64_t>;

  bool is_uniform(const Expr& e);
  bool is_short(const Expr& index);
  bool is_word(const Expr& e);
  bool is_limited(const Expr& e, std::int64_t shift);
  std::optional<std::int64_t> shift_of(const Expr& e);
  HExpr short_index(const Expr& e);
  HExpr word(const Expr& e);
  HExpr limited(const Expr& e, std::int64_t shift);
  HExpr emit_word(const Expr& e);
  HExpr emit_limited(const Expr& e, std::int64_t shift);

  std::string lane_;
  Exactness exactness_;
  Memo<bool> uniform_, is_word_;
  Memo<std::optional<std::int64_t>> shifts_;
  std::map<Shifted, bool> is_limited_;
  Emit value_, index_;
  std::map<const ExprNode*, HExpr> words_;
  std::map<Shifted, HExpr> limited_;
};

// The buffers that the vector loops of a loop tree read by such loads.
std::set<std::string> buffers_of_short_gathers(const StmtPtr& statement);

}  // namespace strata::halide
