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
    add_reads(*program.algorithm, program.layout, *branch.definition);
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

void Storage::add_reads(const Algorithm& algorithm, const Layout& layout,
                        const Definition& definition) {
  if (!definition.value.defined())
    throw request_.refused(Code::E0502_code_generation_failed,
                           definition.name + " is declared and has no value");
  for (const Expr& value : values_of(definition))
    visit(value, [&](const Expr& e) {
      if (e.op() != Op::access || reads_.count(e.name())) return;
      const std::string array = algorithm.array_of(e.name());
      const isl::map stored = store_of(layout, array, request_);
      Place where = place(stored, stored.domain());
      if (array != e.name()) where.buffer = e.name();
      reads_.emplace(e.name(), where);
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
  const std::vector<Expr> indices = place.at(instance);
  std::vector<Expr> values;
  for (const Expr& value : values_of(definition))
    values.push_back(rewrite(substitute(with_loads(value), value_of), simpler));
  if (definition.reduction) {
    std::vector<Expr> before{load(place.buffer, definition.type, indices)};
    for (const Component& c : definition.others) before.push_back(load(c.name, c.type, indices));
    values = combined(*definition.reduction, before, values);
  }
  Execute result{definition.name, instance, place.buffer, indices, values[0]};
  if (atomics_.count(definition.name)) result.atomic = definition.reduction->kind;
  for (std::size_t n = 0; n < definition.others.size(); ++n)
    result.others.push_back({definition.others[n].name, values[n + 1]});
  return result;
}

}  // namespace strata
