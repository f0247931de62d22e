// Which int64 arithmetic is the same in Z as modulo 2^64.
//
// What iterators and parameters make alone, an *index*, lies within 2^61, and so does each part of
// it: the entry of the kernel has proved that (codegen/halide/index_range.h) of the loop tree before
// its passes and after them.  Of data nothing is known but their types.
#pragma once

#include <map>
#include <optional>

#include "core/interval.h"

namespace strata {

class Exactness {
 public:
  // Is "e" made of iterators, parameters and constants alone, by operations that the proof follows?
  bool is_index(const Expr& e);

  // Where the value of "e", an integer or boolean, lies: within 2^61 for an index; for a sum,
  // difference or product that may wrap anywhere in its type.
  Interval range_of(const Expr& e);

  // Do the sums, differences and multiples by constants at the top of "e" have the value in Z of
  // the terms below?  So for an index, and where range_of says that none of them wraps.
  bool is_exact(const Expr& e);

 private:
  struct Known {
    Expr e;  // lives as long as its address is a key
    std::optional<bool> is_index;
    std::optional<Interval> range;
  };

  Known& known(const Expr& e);
  bool asks_index(const Expr& e);
  Interval fresh_range(const Expr& e);
  Interval unwrapped(const Expr& e);

  std::map<const ExprNode*, Known> known_;
};

// Does every value of "values" fit 64 bits?
bool fits(const Interval& values);

}  // namespace strata
