#include "codegen/halide/linear_form.h"

#include <algorithm>

namespace strata::halide {

namespace {

// Wraps like the arithmetic it stands for.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t times(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

void add_atom(LinearForm& sum, const Expr& atom, std::int64_t factor) {
  const auto found = std::find_if(sum.terms.begin(), sum.terms.end(),
                                  [&](const auto& term) { return same(term.atom, atom); });
  if (found == sum.terms.end()) {
    sum.terms.push_back({atom, factor});
    return;
  }
  found->factor = plus(found->factor, factor);
  if (found->factor == 0) sum.terms.erase(found);
}

bool is_constant(const Expr& e) { return e.op() == Op::constant; }

void add(LinearForm& sum, const Expr& e, std::int64_t factor) {
  switch (e.op()) {
    case Op::constant:
      sum.constant = plus(sum.constant, times(e.node().integer, factor));
      return;
    case Op::add:
      add(sum, e.args()[0], factor);
      add(sum, e.args()[1], factor);
      return;
    case Op::sub:
      add(sum, e.args()[0], factor);
      add(sum, e.args()[1], times(-1, factor));
      return;
    case Op::negate:
      add(sum, e.args()[0], times(-1, factor));
      return;
    case Op::mul:
      if (is_constant(e.args()[1]))
        return add(sum, e.args()[0], times(e.args()[1].node().integer, factor));
      if (is_constant(e.args()[0]))
        return add(sum, e.args()[1], times(e.args()[0].node().integer, factor));
      [[fallthrough]];
    default:
      add_atom(sum, e, factor);
  }
}

}  // namespace

LinearForm linear_form(const Expr& e) {
  LinearForm sum;
  add(sum, e, 1);
  return sum;
}

}  // namespace strata::halide
