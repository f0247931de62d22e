#include "layers/algorithm.h"

#include <isl/aff.h>

#include <algorithm>

#include "core/expr/tuple.h"

namespace strata {

void for_each_expression(const Definition& definition,
                         const std::function<void(const Expr&)>& visitor) {
  for (const Expr& value : values_of(definition))
    if (value.defined()) visitor(value);
  if (definition.predicate.defined()) visitor(definition.predicate);
  for (const Expr& index : definition.element) visitor(index);
}

void edit_expressions(Definition& definition, const std::function<Expr(const Expr&)>& edit) {
  if (definition.value.defined()) definition.value = edit(definition.value);
  for (Component& c : definition.others) c.value = edit(c.value);
  if (definition.predicate.defined()) definition.predicate = edit(definition.predicate);
  for (Expr& index : definition.element) index = edit(index);
}

const Definition* Algorithm::find(const std::string& definition) const {
  auto found = std::find_if(definitions.begin(), definitions.end(),
                            [&](const Definition& d) { return d.name == definition; });
  return found == definitions.end() ? nullptr : &*found;
}

Definition& Algorithm::edit(const std::string& definition) {
  std::size_t place = 0;
  while (definitions[place].name != definition) ++place;
  return definitions.edit(place);
}

const RankPartition* Algorithm::find_partition(const std::string& name) const {
  const auto found = std::find_if(partitions.begin(), partitions.end(),
                                  [&](const RankPartition& p) { return p.name == name; });
  return found == partitions.end() ? nullptr : &*found;
}

const InputArray* Algorithm::find_input(const std::string& name) const {
  auto found = std::find_if(inputs.begin(), inputs.end(),
                            [&](const InputArray& input) { return input.name == name; });
  return found == inputs.end() ? nullptr : &*found;
}

bool Algorithm::is_scalar(const std::string& name) const {
  const InputArray* input = find_input(name);
  return input && input->by_value;
}

std::vector<const Definition*> Algorithm::definitions_of(const std::string& array) const {
  std::vector<const Definition*> found;
  for (const Definition& d : definitions)
    if (d.array == array) found.push_back(&d);
  return found;
}

std::string Algorithm::array_of(const std::string& name) const {
  for (const Definition& d : definitions)
    for (const Component& c : d.others)
      if (c.name == name) return d.array;
  return name;
}

std::string Algorithm::array_read(const Read& read) const {
  const Definition* producer = find(read.producer);
  return producer ? producer->array : read.producer;
}

const std::vector<Component>& Algorithm::components_of(const std::string& array) const {
  static const std::vector<Component> none;
  const auto all = definitions_of(array);
  return all.empty() ? none : all.front()->others;
}

std::vector<Expr> values_of(const Definition& definition) {
  std::vector<Expr> values{definition.value};
  for (const Component& c : definition.others) values.push_back(c.value);
  return values;
}

std::vector<Expr> combined(const ReductionRule& rule, const std::vector<Expr>& before,
                           const std::vector<Expr>& contribution) {
  if (rule.kind) return {combine(*rule.kind, before[0], contribution[0])};
  return applied(rule.steps, before, contribution);
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
  isl_multi_aff* first =
      isl_multi_aff_drop_dims(keep.release(), isl_dim_out, results, domain.tuple_dim() - results);
  return isl::manage(first).as_map().set_range_tuple(reduction.reduction->initial);
}

}  // namespace strata
