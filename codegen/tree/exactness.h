// Which int64 arithmetic is the same in Z as modulo 2^64.
//
// What iterators and parameters make alone, an *index*, lies within 2^61, and so does each part of
// it: the entry of the kernel has proved that (codegen/halide/bounds/index_range.h) of the loop tree before
// its passes and after them.  Of data nothing is known but their types.
#pragma once

#include "core/expr/interval.h"

namespace strata {

class Exactness : private Intervals {
 public:
  // Is "e" made of iterators, parameters and constants alone, by operations that the proof follows?
  bool is_index(const Expr& e);

  // Where the value of "e", an integer or boolean, lies: within 2^61 for an index; for a sum,
  // difference or product that may wrap anywhere in its type.
  Interval values_of(const Expr& e);

  // Do the sums, differences and multiples by constants at the top of "e" have the value in Z of
  // the terms below?  So for an index, and where values_of says that none of them wraps.
  bool is_exact(const Expr& e);

 private:
  Known taken(const Expr& e, const std::vector<Known>& parts) override;

  Memo<bool> is_index_;
};

}  // namespace strata
