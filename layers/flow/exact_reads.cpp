#include "layers/flow/exact_reads.h"

#include "layers/affine/affine.h"

namespace strata {

std::optional<ExactRange> exact_range(const Definition& definition, const Context& context) {
  const IteratorScope scope =
      scope_of(definition.domain.ctx(), definition.name, definition.iterators);
  std::vector<ExactUse> uses;
  for (const Expr& index : definition.element) uses.push_back({index, true});
  for_each_expression(definition, [&](const Expr& whole) {
    visit(whole, [&](const Expr& e) {
      if (e.op() == Op::select && affine_condition(e.args()[0], scope))
        uses.push_back({e.args()[0]});
      if (e.op() != Op::access) return;
      for (const Expr& index : e.args()) uses.push_back({index, true});
    });
  });
  return exact_range(uses, isl::set(definition.domain).intersect_params(context),
                     definition.iterators);
}

}  // namespace strata
