// Random arithmetic that overflows its type: it must not be treated as arithmetic in Z.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "tests/fuzz/random.h"

namespace strata::fuzz {

// in(e, e) if that element exists, otherwise 1.
Expr diagonal(const Expr& e);

// Some programs overflow in conditions, some of these through a parameter S whose large values make
// them wrap; others overflow in data. Drawn from a random stream of its own, so that all other
// programs stay the same.
class Extremes {
 public:
  // Adds the kinds that it draws to "kinds".
  Extremes(Random random, std::set<std::string>& kinds);

  bool in_data() const { return in_data_; }
  bool with_size() const { return with_size_; }
  bool chance(std::int64_t percent) { return fuzz::chance(random_, percent); }
  std::int64_t between(std::int64_t a, std::int64_t b) { return fuzz::between(random_, a, b); }

  // select("exists", X(element), other), sometimes with a further condition on the element that
  // wraps. "read" makes the expression X(..) for an element.
  template <typename Read>
  Expr chosen(const std::vector<Expr>& element, const Expr& exists, const Expr& other, Read read);

  // An index below N made of data near the limits of 64 bits, chosen by the iterator.
  Expr index(const std::string& iterator);
  // An affine bound on "bounded", compared with data near the limits, chosen by "chooser".
  Expr condition(const std::string& chooser, const std::string& bounded);

 private:
  Expr wrapping(const Expr& x);
  // S >= 0, unless 2^31 S wraps.
  Expr is_size();
  // A data-dependent number from "end" to "end" + 15.
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
