#include "layers/flow/atomic_step.h"

#include <algorithm>
#include <array>

#include "core/expr/expr_typing.h"
#include "layers/affine/affine.h"
#include "layers/flow/reads.h"

namespace strata {

namespace {

bool is_operation_of_steps(Op op) {
  constexpr std::array all{Op::add,        Op::sub,         Op::mul,     Op::min,    Op::max,
                           Op::logical_or, Op::logical_and, Op::bit_and, Op::bit_or, Op::bit_xor};
  return std::find(all.begin(), all.end(), op) != all.end();
}

bool reads_own(const Definition& d, const Expr& part) {
  bool found = false;
  visit(part, [&](const Expr& e) {
    found |= (e.op() == Op::access || e.op() == Op::array) && e.name() == d.array;
  });
  return found;
}

// True if the access is to the element that the update redefines.
bool is_own_element(const Definition& d, const Expr& e) {
  if (e.op() != Op::access || e.name() != d.array) return false;
  if (d.element.empty()) {
    const Request request{"", {}};
    const auto rank = isl::map(d.defines).range_tuple_dim();
    if (e.args().size() != rank) return false;
    const Elements named = named_elements(d, {e, d.domain}, rank, request);
    const isl::map own = isl::map(d.defines).intersect_domain(d.domain);
    return !named.may && named.relation.is_equal(own);
  }
  if (e.args().size() != d.element.size()) return false;
  for (std::size_t n = 0; n < d.element.size(); ++n)
    if (!same(as_index(e.args()[n], "an index"), d.element[n])) return false;
  return true;
}

std::optional<AtomicStep> none(std::string* why, const std::string& reason) {
  if (why) *why = reason;
  return std::nullopt;
}

}  // namespace

std::optional<AtomicStep> atomic_step(const Definition& d, std::string* why) {
  if (d.reduction || d.name == d.array)
    return none(why, d.name + " is neither a reduction nor an update");
  const std::string shape = " is not an update e = e op x, where e is the element of " + d.array +
                            " that it redefines and op is +, -, *, min, max, &&, ||, &, | or ^";
  const Op op = d.value.op();
  if (!is_operation_of_steps(op)) return none(why, "the value of " + d.name + shape);
  const Expr &a = d.value.args()[0], &b = d.value.args()[1];
  const bool first = is_own_element(d, a);
  if (!first && (op == Op::sub || !is_own_element(d, b)))
    return none(why, "the value of " + d.name + shape);
  const Expr rest = first ? b : a;
  bool reads = reads_own(d, rest) || (d.predicate.defined() && reads_own(d, d.predicate));
  for (const Expr& index : d.element) reads = reads || reads_own(d, index);
  if (reads)
    return none(why, "the contribution, an index or the condition of " + d.name +
                         " depends on values of " + d.array + " that other instances change");
  if (is_half(d.type)) return none(why, to_string(d.type) + " has no atomic operations");
  if (op == Op::sub) return AtomicStep{Op::add, -rest};
  return AtomicStep{op, rest};
}

bool has_steps(const Definition& d) { return d.reduction || atomic_step(d); }

}  // namespace strata
