// Random dims, and assignments of their symbols.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "graph/dim/dim.h"

namespace strata::test {

class DimDraw {
 public:
  explicit DimDraw(unsigned seed) : random_(seed) {}

  std::int64_t below(std::int64_t bound) {
    return std::uniform_int_distribution<std::int64_t>(0, bound - 1)(random_);
  }
  const std::vector<std::string>& names() const { return names_; }

  // An expression of at most this depth.
  Expr dim(int depth) {
    if (depth == 0 || below(5) == 0)
      return below(3) == 0 ? constant(i64, below(9) - 3)
                           : Expr(Param(names_[std::size_t(below(3))]));
    static constexpr Op operations[] = {Op::add, Op::sub, Op::mul, Op::add, Op::mul,
                                        Op::div, Op::mod, Op::min, Op::max};
    const Op op = operations[below(9)];
    if (op == Op::div || op == Op::mod)
      return make(op,
                  {dim(depth - 1), below(4) == 0 ? dim(depth - 1) : constant(i64, below(7) - 2)});
    return make(op, {dim(depth - 1), dim(depth - 1)});
  }

  // The same dim in another form: operands exchanged, sums and products rearranged.
  Expr rearranged(const Expr& e) {
    return rewrite(e, [&](const Expr& part) {
      if (part.args().size() != 2) return Expr();
      const Expr &a = part.args()[0], &b = part.args()[1];
      const bool commutes = part.op() == Op::add || part.op() == Op::mul || part.op() == Op::min ||
                            part.op() == Op::max;
      if (commutes && below(2) == 0) return make(part.op(), {b, a});
      if (part.op() == Op::sub && below(2) == 0) return a + b * -1;
      if (part.op() == Op::add && below(3) == 0) return a - b * -1;
      if (part.op() == Op::mul && below(4) == 0) return a * (b + 1) - a;
      return Expr();
    });
  }

  graph::SymbolValues values() {
    graph::SymbolValues values;
    for (const std::string& name : names_) values[name] = below(12);
    return values;
  }

 private:
  std::mt19937 random_;
  std::vector<std::string> names_{"n", "m", "k"};
};

}  // namespace strata::test
