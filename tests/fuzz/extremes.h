// Arithmetic drawn by chance that leaves its type: it must not be taken for arithmetic in Z.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "tests/fuzz/random.h"

namespace strata::fuzz {

// in(e, e), where that exists, and 1 elsewhere.
Expr diagonal(const Expr& e);

// Some programs have it in conditions, and in some of these is a parameter S that makes them wrap
// where it is larger than is ordinary; others have it in data.  It is drawn from a stream of its
// own: programs that have none of it stay what they are.
class Extremes {
 public:
  // Notes in "kinds" what it draws.
  Extremes(Random random, std::set<std::string>& kinds);

  bool in_data() const { return in_data_; }
  bool with_size() const { return with_size_; }
  bool chance(std::int64_t percent) { return fuzz::chance(random_, percent); }
  std::int64_t between(std::int64_t a, std::int64_t b) { return fuzz::between(random_, a, b); }

  // A value that one of X(element), where "exists" holds, and "other" is: chosen by a condition on
  // the element that wraps, if one is drawn.  "read" makes X of an element.
  template <typename Read>
  Expr chosen(const std::vector<Expr>& element, const Expr& exists, const Expr& other, Read read);

  // An index below N, of data near the limits of 64 bits, on which the iterator chooses.
  Expr index(const std::string& iterator);
  // An affine bound on "bounded" against data near the limits, on which "chooser" chooses.
  Expr condition(const std::string& chooser, const std::string& bounded);

 private:
  Expr wrapping(const Expr& x);
  // S >= 0 as long as 2^31 S does not wrap.
  Expr is_size();
  // At most the next 15 beyond the end.
  Expr data(const std::string& iterator, std::int64_t end);
  std::int64_t far_from_zero();

  Random random_;
  std::set<std::string>& kinds_;
  bool in_conditions_ = false, with_size_ = false, in_data_ = false;
};

template <typename Read>
Expr Extremes::chosen(const std::vector<Expr>& element, const Expr& exists, const Expr& other,
                      Read read) {
  if (!in_conditions_ || !chance(60)) return select(exists, read(element), other);
  kinds_.insert("wrapping condition");
  if (!with_size_ || !chance(50))
    return select(wrapping(element[0]), select(exists, read(element), other), other);
  kinds_.insert("size that wraps");
  std::vector<Expr> moved = element;
  moved[0] = element[0] + min(parameter("S"), 0);
  return select(exists && is_size(), read(moved), other);
}

}  // namespace strata::fuzz
