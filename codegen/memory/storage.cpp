#include "codegen/memory/storage.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "codegen/loops/isl_expr.h"
#include "codegen/memory/layout_of.h"
#include "codegen/tree/index_math.h"
#include "layers/flow/atomic_step.h"

namespace strata {

namespace {

std::vector<std::string> numbered(unsigned count) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i) names.push_back("#" + std::to_string(i));
  return names;
}

// Simplifies indices, and makes one load of a select between loads of the same place, as in-place
// updates have: select(t > 0, u(t - 1, i), grid(i)) when u is stored over grid.
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
    : algorithm_(*program.algorithm), request_(request) {
  for (const TimeBranch& branch : space.branches) {
    if (branch.message) continue;
    const std::vector<AccessUse> uses = accesses(*branch.definition);
    add_evaluated(branch, uses);
    if (writes_.count(branch.definition->name)) continue;
    add_writes(*program.algorithm, program.layout, branch);
    add_reads(program.layout, *branch.definition);
    add_checks(*branch.definition, uses);
  }
}

void Storage::add_writes(const Algorithm& algorithm, const Layout& layout,
                         const TimeBranch& branch) {
  const Definition& definition = *branch.definition;
  const isl::map stored = store_of(layout, definition.array, request_);
  if (!definition.element.empty()) {
    reads_.emplace(definition.array, place(stored, stored.domain()));
    return;
  }
  const isl::map written = isl::map(definition.defines).apply_range(stored);
  const isl::set domain = isl::set(definition.domain).intersect_params(algorithm.context);
  writes_.emplace(definition.name, place(written, domain));
}

void Storage::add_reads(const Layout& layout, const Definition& definition) {
  if (!definition.value.defined())
    throw request_.refused(Code::E0502_code_generation_failed,
                           definition.name + " is declared but has no value");
  for_each_expression(definition, [&](const Expr& whole) {
    visit(whole, [&](const Expr& e) {
      if (e.op() == Op::access || e.op() == Op::array) add_read(layout, e);
    });
  });
}

void Storage::add_read(const Layout& layout, const Expr& use) {
  const std::string array = algorithm_.array_of(use.name());
  const isl::map stored = store_of(layout, array, request_);
  if (use.op() == Op::array) require_linear(stored, array);
  if (reads_.count(use.name())) return;
  Place where = place(stored, stored.domain());
  if (array != use.name()) where.buffer = use.name();
  reads_.emplace(use.name(), where);
}

// Checks that the relation is { X[e] -> b[c + A e] } in one piece, without quotients.
void Storage::require_linear(const isl::map& stored, const std::string& array) const {
  bool linear = true;
  std::size_t pieces = 0;
  const auto with_div = [&](const isl::aff& a) { return isl_aff_dim(a.get(), isl_dim_div) > 0; };
  stored.as_pw_multi_aff().foreach_piece([&](const isl::set&, const isl::multi_aff& places) {
    ++pieces;
    for (unsigned d = 0; d < places.size(); ++d) linear = linear && !with_div(places.at(int(d)));
  });
  if (linear && pieces <= 1) return;
  throw request_.refused(
      Code::E0502_code_generation_failed,
      "an extern call takes " + array +
          " as an array with strides, but its elements are not stored linearly in its indices",
      "store it by a store_in without / and %");
}

void Storage::add_evaluated(const TimeBranch& branch, const std::vector<AccessUse>& uses) {
  const isl::set runs = branch.instances.intersect_params(algorithm_.context);
  auto& evaluated = evaluated_[&branch];
  for (const AccessUse& use : uses)
    if (!evaluated.count(use.access.identity()) && !use.where.is_disjoint(runs))
      evaluated.insert(use.access.identity());
}

void Storage::add_checks(const Definition& definition, const std::vector<AccessUse>& uses) {
  for (const AccessUse& use : uses) {
    const isl::set all = all_elements(algorithm_, use.access.name());
    if (use.access.op() == Op::array)
      boxes_.try_emplace(use.access.identity(), bounds_of(all));
    else
      add_checks(definition, use, all);
  }
  if (definition.element.empty()) return;
  const Expr element = access(definition.array, definition.type, definition.element);
  const Expr& kept = scattered_.emplace(definition.name, element).first->second;
  const isl::map redefined = definition.defines;
  add_checks(definition, {kept, definition.domain}, redefined.range());
}

void Storage::add_checks(const Definition& definition, const AccessUse& use,
                         const isl::set& among) {
  const Elements elements = elements_of(algorithm_, definition, use, request_);
  std::vector<bool>& checks = checks_[use.access.identity()];
  checks.resize(elements.checked.size());
  for (std::size_t d = 0; d < checks.size(); ++d) checks[d] = checks[d] || elements.checked[d];
  if (std::find(checks.begin(), checks.end(), true) != checks.end())
    boxes_.try_emplace(use.access.identity(), bounds_of(among));
}

Storage::IndexBounds Storage::bounds_of(const isl::set& elements) const {
  const isl::set context = algorithm_.context;
  IndexBounds box;
  for (int d = 0; d < int(elements.tuple_dim()); ++d) {
    const isl::pw_aff least = isl::manage(isl_set_dim_min(elements.copy(), d));
    const isl::pw_aff most = isl::manage(isl_set_dim_max(elements.copy(), d));
    box.lowers.push_back(parametric(or_zero(least, context), context));
    box.uppers.push_back(parametric(or_zero(most.add_constant(1), context), context));
  }
  return box;
}

std::vector<Expr> Storage::checked_indices(const Expr& access, std::vector<Expr> indices) const {
  const std::vector<bool>& checks = checks_.at(access.identity());
  for (std::size_t d = 0; d < indices.size(); ++d) {
    if (!checks[d]) continue;
    const IndexBounds& box = boxes_.at(access.identity());
    indices[d] = checked("index " + std::to_string(d) + " of " + access.name(), indices[d],
                         box.lowers[d], box.uppers[d]);
  }
  return indices;
}

// Described by the places of the least element and of its neighbours.
Expr Storage::whole_array(const Expr& argument) const {
  const Place& place = reads_.at(argument.name());
  const IndexBounds& box = boxes_.at(argument.identity());
  const auto at = [&](const std::vector<Expr>& element) {
    return load(place.buffer, argument.type(), place.at(element));
  };
  std::vector<Expr> places{at(box.lowers)}, extents;
  for (std::size_t k = 0; k < box.lowers.size(); ++k) {
    std::vector<Expr> neighbour = box.lowers;
    neighbour[k] = neighbour[k] + 1;
    places.push_back(at(neighbour));
    extents.push_back(simplified(max(box.uppers[k] - box.lowers[k], constant(i64, 0))));
  }
  return array_argument(place.buffer, argument.type(), places, box.lowers, extents);
}

// Which indices are checked and which operations wrap is recorded by original node, so nodes are
// replaced before iterators are substituted; a shared node is replaced once.
Expr Storage::with_loads(const Expr& e, Replaced& replaced) const {
  if (const auto known = replaced.nodes.find(e.identity()); known != replaced.nodes.end())
    return known->second;
  if (const auto side = replaced.decided.find(e.identity()); side != replaced.decided.end())
    return replaced.nodes.emplace(e.identity(), with_loads(side->second, replaced)).first->second;
  std::vector<Expr> args;
  for (const Expr& arg : e.args()) args.push_back(with_loads(arg, replaced));
  Expr result = replaced.ordinary.written_out(e, args);
  if (e.op() == Op::array) result = whole_array(e);
  if (e.op() == Op::access) {
    const Place& place = reads_.at(e.name());
    result = load(place.buffer, e.type(), place.at(checked_indices(e, args)));
  }
  return replaced.nodes.emplace(e.identity(), result).first->second;
}

Expr Storage::at(const Executed& there, const Expr& e) const {
  const Definition& definition = *there.branch.definition;
  auto value_of = [&](const std::string& name) -> Expr {
    const auto& names = definition.iterators;
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? Expr() : there.instance[std::size_t(found - names.begin())];
  };
  Replaced replaced{there.decided};
  const auto& evaluated = evaluated_.at(&there.branch);
  visit(e, [&](const Expr& part) {
    const bool is_use = part.op() == Op::access || part.op() == Op::array;
    const bool is_own = part.identity() == e.identity();  // the element that a scatter writes
    if (is_use && !is_own && !evaluated.count(part.identity()))
      replaced.nodes.emplace(part.identity(), constant(part.type(), 0));
  });
  return rewrite(substitute(with_loads(e, replaced), value_of), simpler);
}

Expr Storage::predicate(const Executed& there) const {
  const Expr& predicate = there.branch.definition->predicate;
  return predicate.defined() ? at(there, predicate) : Expr();
}

Execute Storage::execution(const Executed& there) const {
  const Definition& definition = *there.branch.definition;
  const Expr target = target_of(there);
  const std::vector<Expr>& indices = target.args();
  std::vector<Expr> values;
  for (const Expr& value : values_of(definition)) values.push_back(at(there, value));
  if (definition.reduction) {
    std::vector<Expr> before{target};
    for (const Component& c : definition.others) before.push_back(load(c.name, c.type, indices));
    values = combined(*definition.reduction, before, values);
  }
  Execute result{definition.name, there.instance, target.name(), indices, values[0]};
  result.asynchronous = there.branch.asynchronous;
  result.mma = there.branch.mma;
  if (definition.is_atomic) make_atomic(result, there, target);
  for (std::size_t n = 0; n < definition.others.size(); ++n)
    result.others.push_back({definition.others[n].name, values[n + 1]});
  return result;
}

// A contribution is a step already; an update becomes one on the content of its place.
void Storage::make_atomic(Execute& result, const Executed& there, const Expr& target) const {
  const Definition& definition = *there.branch.definition;
  if (definition.reduction) {
    result.atomic = result.value.op();
    return;
  }
  const auto step = atomic_step(definition);
  result.atomic = step->operation;
  result.value = make(step->operation, {target, at(there, step->contribution)});
}

// The element that the instance writes, as a load of it.
Expr Storage::target_of(const Executed& there) const {
  const Definition& definition = *there.branch.definition;
  const auto scattered = scattered_.find(definition.name);
  if (scattered != scattered_.end()) return at(there, scattered->second);
  return place_of(definition, there.instance);
}

Expr Storage::place_of(const Definition& definition, const std::vector<Expr>& instance) const {
  const Place& place = writes_.at(definition.name);
  return load(place.buffer, definition.type, place.at(instance));
}

}  // namespace strata
