// Which int64 arithmetic modulo 2^64 equals the arithmetic in Z.
//
// An *index* is made of iterators and parameters alone. It is within 2^61, and so is each part of
// it: the entry of the kernel checks that (codegen/entry/index_range.h), for the loop tree
// before its passes and after them. About data only the types are known.
#pragma once

#include "core/expr/interval.h"

namespace strata {

class Exactness : private Intervals {
 public:
  // Is "e" made of iterators, parameters and constants alone, by operations that the proof follows?
  bool is_index(const Expr& e);

  // The range of the integer or boolean "e": within 2^61 for an index; the whole type for a sum,
  // difference or product that may wrap.
  Interval values_of(const Expr& e);

  // Is the arithmetic at the top of "e" (sums, differences, multiples by constants) the same in Z?
  // True for an index, and if values_of shows that none of these operations wraps.
  bool is_exact(const Expr& e);

 private:
  Known taken(const Expr& e, const std::vector<Known>& parts) override;

  Memo<bool> is_index_;
};

}  // namespace strata
