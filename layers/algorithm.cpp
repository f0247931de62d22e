#include "layers/algorithm.h"

#include <isl/aff.h>

#include <algorithm>

namespace strata {

void for_each_expression(const Definition& definition,
                         const std::function<void(const Expr&)>& visitor) {
  if (definition.value.defined()) visitor(definition.value);
  if (definition.predicate.defined()) visitor(definition.predicate);
  for (const Expr& index : definition.element) visitor(index);
}

void edit_expressions(Definition& definition, const std::function<Expr(const Expr&)>& edit) {
  if (definition.value.defined()) definition.value = edit(definition.value);
  if (definition.predicate.defined()) definition.predicate = edit(definition.predicate);
  for (Expr& index : definition.element) index = edit(index);
}

const Definition* Algorithm::find(const std::string& definition) const {
  auto found = std::find_if(definitions.begin(), definitions.end(),
                            [&](const Definition& d) { return d.name == definition; });
  return found == definitions.end() ? nullptr : &*found;
}

const InputArray* Algorithm::find_input(const std::string& name) const {
  auto found = std::find_if(inputs.begin(), inputs.end(),
                            [&](const InputArray& input) { return input.name == name; });
  return found == inputs.end() ? nullptr : &*found;
}

std::vector<const Definition*> Algorithm::definitions_of(const std::string& array) const {
  std::vector<const Definition*> found;
  for (const Definition& d : definitions)
    if (d.array == array) found.push_back(&d);
  return found;
}

std::map<std::string, TimeMap> reference_order(const Algorithm& algorithm) {
  std::map<std::string, TimeMap> order;
  for (const Placed& placed : branches(algorithm.reference))
    order.emplace(placed.branch->definition, theta(placed));
  return order;
}

isl::map result_of(const Definition& reduction) {
  isl::set domain = reduction.domain;
  const unsigned results = unsigned(reduction.reduction->results);
  auto keep = domain.space().identity_multi_aff_on_domain();
  isl_multi_aff* first = isl_multi_aff_drop_dims(keep.release(), isl_dim_out, results,
                                                 domain.tuple_dim() - results);
  return isl::manage(first).as_map().set_range_tuple(reduction.reduction->initial);
}

}  // namespace strata
