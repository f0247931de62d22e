#include "codegen/storage.h"

#include <isl/map.h>

#include <algorithm>

#include "codegen/index_math.h"
#include "codegen/isl_expr.h"
#include "codegen/layout_of.h"

namespace strata {

namespace {

std::vector<std::string> numbered(unsigned count) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i) names.push_back("#" + std::to_string(i));
  return names;
}

// Indices simplified; and one load where a select takes it from the same place on both sides, as
// in-place updates do: select(t > 0, u(t - 1, i), grid(i)) when u is stored over grid.
Expr simpler(const Expr& e) {
  if (e.op() == Op::select && same(e.args()[1], e.args()[2])) return e.args()[1];
  if (e.op() != Op::load) return {};
  std::vector<Expr> indices;
  for (const Expr& index : e.args()) indices.push_back(simplified(index));
  return with_args(e, indices);
}

}  // namespace

std::vector<Expr> Storage::Place::at(const std::vector<Expr>& values) const {
  auto value_of = [&](const std::string& name) -> Expr {
    const auto found = std::find(variables.begin(), variables.end(), name);
    return found == variables.end() ? Expr() : values[std::size_t(found - variables.begin())];
  };
  std::vector<Expr> result;
  for (const Expr& index : indices) result.push_back(simplified(substitute(index, value_of)));
  return result;
}

Storage::Place Storage::place(const isl::map& relation, const isl::set& domain) const {
  Place result;
  result.buffer = range_tuple_name(relation);
  result.variables = numbered(domain.tuple_dim());
  if (!relation.intersect_domain(domain).is_single_valued())
    throw request_.refused(Code::E0502_code_generation_failed,
                           "a value has several places in " + result.buffer);
  result.indices = functions(relation, domain, result.variables);
  return result;
}

Storage::Storage(const Program& program, const TimeSpace& space, const Request& request)
    : request_(request), atomics_(program.layout.atomics) {
  for (const TimeBranch& branch : space.branches) {
    add_writes(*program.algorithm, program.layout, branch);
    add_reads(program.layout, *branch.definition);
  }
}

void Storage::add_writes(const Algorithm& algorithm, const Layout& layout,
                         const TimeBranch& branch) {
  const Definition& definition = *branch.definition;
  if (writes_.count(definition.name)) return;
  const isl::map stored = store_of(layout, definition.array, request_);
  const isl::map written = isl::map(definition.defines).apply_range(stored);
  const isl::set domain = isl::set(definition.domain).intersect_params(algorithm.context);
  writes_.emplace(definition.name, place(written, domain));
}

void Storage::add_reads(const Layout& layout, const Definition& definition) {
  if (!definition.value.defined())
    throw request_.refused(Code::E0502_code_generation_failed,
                           definition.name + " is declared and has no value");
  visit(definition.value, [&](const Expr& e) {
    if (e.op() != Op::access || reads_.count(e.name())) return;
    const isl::map stored = store_of(layout, e.name(), request_);
    reads_.emplace(e.name(), place(stored, stored.domain()));
  });
}

Expr Storage::with_loads(const Expr& value) const {
  return rewrite(value, [&](const Expr& e) -> Expr {
    if (e.op() != Op::access) return {};
    const Place& place = reads_.at(e.name());
    return load(place.buffer, e.type(), place.at(e.args()));
  });
}

Execute Storage::execution(const Definition& definition, const std::vector<Expr>& instance) const {
  const Place& place = writes_.at(definition.name);
  auto value_of = [&](const std::string& name) -> Expr {
    const auto& names = definition.iterators;
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? Expr() : instance[std::size_t(found - names.begin())];
  };
  std::vector<Expr> indices = place.at(instance);
  Expr value = substitute(with_loads(definition.value), value_of);
  value = rewrite(value, simpler);
  Execute result{definition.name, instance, place.buffer, std::move(indices), value};
  if (!definition.reduction) return result;
  const Reduction kind = definition.reduction->kind;
  result.value = combine(kind, load(place.buffer, definition.type, result.indices), value);
  if (atomics_.count(definition.name)) result.atomic = kind;
  return result;
}

}  // namespace strata
