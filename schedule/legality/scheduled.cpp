#include "schedule/legality/scheduled.h"

#include <isl/map.h>

#include <algorithm>

#include "layers/initial_values.h"

namespace strata {

namespace {

// "name" as a parameter, told apart from the program's.
std::string iterator_parameter(const std::string& name, const Algorithm& algorithm) {
  std::string result = name;
  const auto& taken = algorithm.parameters;
  while (std::find(taken.begin(), taken.end(), result) != taken.end()) result += "'";
  return result;
}

// { S[i] -> [t] }, with 0 for the iterator of that level
isl::map with_zero(const isl::map& time, unsigned level) {
  isl_map* result = isl_map_project_out(time.copy(), isl_dim_out, level, 1);
  result = isl_map_insert_dims(result, isl_dim_out, level, 1);
  return isl::manage(isl_map_fix_si(result, isl_dim_out, level, 0));
}

// { S[i] -> [t] : t0 = the first of "iterators", .. }, where they have a name
isl::map fixed(const isl::map& time, const std::vector<std::string>& iterators) {
  isl_map* result = time.copy();
  for (std::size_t level = 0; level < iterators.size(); ++level) {
    if (iterators[level].empty()) {
      result = with_zero(isl::manage(result), unsigned(level)).release();
      continue;
    }
    const int position = isl_map_dim(result, isl_dim_param);
    result = isl_map_add_dims(result, isl_dim_param, 1);
    result = isl_map_set_dim_name(result, isl_dim_param, unsigned(position),
                                  iterators[level].c_str());
    result = isl_map_equate(result, isl_dim_param, position, isl_dim_out, int(level));
  }
  return isl::manage(result);
}

}  // namespace

Scheduled::Scheduled(const Program& program)
    : program_(program), mapping_(complete_mapping(program)) {
  list_branches();
}

Scheduled::Scheduled(const Scheduled& whole, const Path& scope, bool tiles_are_one)
    : program_(whole.program_), mapping_(whole.mapping_) {
  list_branches();
  std::vector<std::string> iterators;
  for (const Loop* loop : loops_along(mapping_, scope)) {
    const bool one = tiles_are_one && loop->tile_size;
    iterators.push_back(one ? "" : iterator_parameter(loop->name, algorithm()));
  }
  for (auto& [definition, placed] : placed_) {
    std::erase_if(placed, [&](const Placed& p) { return !is_inside(p.path, scope); });
    for (const Placed& p : placed) {
      Branch& branch = node_at(mapping_, p.path).branch();
      const isl::map inside = fixed(executions(branch), iterators);
      branch.time = TimeMap::from(inside);
      branch.instances = InstanceSet::from(inside.domain());
    }
  }
}

const Scheduled& Scheduled::inside(const Path& scope) const {
  auto& known = inside_[scope];
  if (!known) known.reset(new Scheduled(*this, scope, false));
  return *known;
}

const Scheduled& Scheduled::in_one_tile(const Path& scope) const {
  const auto loops = loops_along(mapping_, scope);
  if (std::none_of(loops.begin(), loops.end(), [](auto* loop) { return loop->tile_size; }))
    return inside(scope);
  auto& known = in_one_tile_[scope];
  if (!known) known.reset(new Scheduled(*this, scope, true));
  return *known;
}

void Scheduled::list_branches() {
  for (const Placed& placed : branches(mapping_))
    placed_[placed.branch->definition].push_back(placed);
}

bool runs_once(const std::vector<Placed>& placed) {
  for (std::size_t a = 0; a < placed.size(); ++a) {
    const Branch& branch = *placed[a].branch;
    if (!executions(branch).is_single_valued()) return false;
    for (std::size_t b = 0; b < a; ++b)
      if (!isl::set(branch.instances).is_disjoint(placed[b].branch->instances)) return false;
  }
  return true;
}

const std::vector<Placed>& Scheduled::of(const std::string& definition) const {
  static const std::vector<Placed> none;
  auto found = placed_.find(definition);
  return found == placed_.end() ? none : found->second;
}

isl::union_map Scheduled::theta() const {
  const int dimensions = 2 * max_depth(mapping_) + 1;
  isl::union_map all = isl::union_map::empty(isl::set(algorithm().context).ctx());
  for (const auto& [definition, placed] : placed_)
    for (const Placed& p : placed) all = all.unite(strata::theta(p, dimensions).to_union_map());
  return all;
}

bool is_atomic_update(const Scheduled& s, const Definition& update) {
  return !update.reduction && update.is_atomic && runs_once(s.of(update.name));
}

isl::map steps_until(const Definition& update, const Algorithm& algorithm) {
  const isl::map defines = isl::map(update.defines).intersect_domain(update.domain);
  const isl::map same_element =
      defines.apply_range(defines.reverse()).intersect_params(algorithm.context);
  const Placed reference = branches_of(algorithm.reference, update.name).front();
  return pairs_ordered(same_element, reference, not_before(reference, reference), reference);
}

isl::map same_result(const Definition& reduction, const Algorithm& algorithm) {
  const isl::map to_result = result_of(reduction).intersect_domain(reduction.domain);
  return to_result.apply_range(to_result.reverse())
      .subtract(isl::map(reduction.domain.identity()))
      .intersect_params(algorithm.context);
}

namespace {

// As edges() says of atomic updates; false where the edge is none.
bool with_commuting_steps(Edge& edge, const Scheduled& s) {
  const Definition& source = *s.algorithm().find(edge.source);
  const Definition& sink = *s.algorithm().find(edge.sink);
  if (is_atomic_update(s, source)) {
    if (edge.source == edge.sink) return false;
    const isl::map until = steps_until(source, s.algorithm());
    edge.relation = until.reverse().apply_range(edge.relation);
  }
  if (source.array == sink.array && is_atomic_update(s, sink))
    edge.relation = edge.relation.apply_range(steps_until(sink, s.algorithm()).reverse());
  return true;
}

}  // namespace

std::vector<Edge> edges(const Scheduled& scheduled) {
  const Algorithm& algorithm = scheduled.algorithm();
  std::vector<Edge> all;
  for (const Definition& d : algorithm.definitions) {
    for (const Read& read : d.reads)
      if (!algorithm.find_input(read.producer))
        all.push_back({read.producer, d.name, isl::map(read.relation).reverse(), read.may});
    if (d.reduction)
      all.push_back({d.reduction->initial, d.name,
                     result_of(d).intersect_domain(d.domain).reverse(), false});
  }
  for (Edge& edge : all) edge.relation = edge.relation.intersect_params(algorithm.context);
  if (std::ranges::any_of(algorithm.definitions, &Definition::is_atomic))
    std::erase_if(all, [&](Edge& edge) { return !with_commuting_steps(edge, scheduled); });
  return all;
}

}  // namespace strata
