// Equality of expression trees.
#include <bit>
#include <cmath>
#include <set>

#include "core/expr/expr_parts.h"

namespace strata {

namespace {

bool same_real(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

class Same {
 public:
  bool operator()(const Expr& a, const Expr& b) {
    if (a.identity() == b.identity()) return true;
    if (!a.defined() || !b.defined()) return false;
    if (!equal_.insert({a.identity(), b.identity()}).second) return true;
    return same_fields(a.node(), b.node()) && all_same(a.args(), b.args()) &&
           all_same(bounds_of(a.node()), bounds_of(b.node()));
  }

 private:
  static bool same_fields(const ExprNode& a, const ExprNode& b) {
    if (a.op != b.op || a.type != b.type || a.name != b.name || a.integer != b.integer ||
        !same_real(a.real, b.real) || a.reduction != b.reduction || a.code != b.code ||
        a.variables.size() != b.variables.size() || (a.owner && b.owner && a.owner != b.owner))
      return false;
    for (std::size_t i = 0; i < a.variables.size(); ++i)
      if (a.variables[i].name() != b.variables[i].name() ||
          a.variables[i].has_range() != b.variables[i].has_range())
        return false;
    return true;
  }

  bool all_same(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(*this)(a[i], b[i])) return false;
    return true;
  }

  // Pairs found equal or still being compared. The first unequal pair ends the whole comparison,
  // so no wrong entry is ever used.
  std::set<std::pair<const ExprNode*, const ExprNode*>> equal_;
};

}  // namespace

bool same(const Expr& a, const Expr& b) { return Same{}(a, b); }

}  // namespace strata
