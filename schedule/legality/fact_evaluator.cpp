#include "schedule/legality/fact_evaluator.h"

#include <isl/map.h>

#include <algorithm>

#include "layers/flow/initial_values.h"
#include "layers/flow/thread_ids.h"
#include "schedule/legality/automatic_places.h"
#include "schedule/legality/program_view.h"

namespace strata {

namespace {

// "name" as the name of a parameter, distinct from the program's.
std::string iterator_parameter(const std::string& name, const Algorithm& algorithm) {
  std::string result = name;
  const auto& taken = algorithm.parameters;
  while (std::find(taken.begin(), taken.end(), result) != taken.end()) result += "'";
  return result;
}

// { S[i] -> [t] }, with 0 for the iterator at "level".
isl::map with_zero(const isl::map& time, unsigned level) {
  isl_map* result = isl_map_project_out(time.copy(), isl_dim_out, level, 1);
  result = isl_map_insert_dims(result, isl_dim_out, level, 1);
  return isl::manage(isl_map_fix_si(result, isl_dim_out, level, 0));
}

// { S[i] -> [t] : t0 = the first of "iterators", .. }; levels with an empty name get 0.
isl::map fixed(const isl::map& time, const std::vector<std::string>& iterators) {
  isl_map* result = time.copy();
  for (std::size_t level = 0; level < iterators.size(); ++level) {
    if (iterators[level].empty()) {
      result = with_zero(isl::manage(result), unsigned(level)).release();
      continue;
    }
    const int position = isl_map_dim(result, isl_dim_param);
    result = isl_map_add_dims(result, isl_dim_param, 1);
    result =
        isl_map_set_dim_name(result, isl_dim_param, unsigned(position), iterators[level].c_str());
    result = isl_map_equate(result, isl_dim_param, position, isl_dim_out, int(level));
  }
  return isl::manage(result);
}

isl::map derive_leading(const ProgramView& s, const BranchId& branch, const int& levels) {
  return leading_levels(s.time(branch), unsigned(levels));
}

isl::set derive_executed(const ProgramView& s, const BranchId& branch) {
  return s.executions(branch).domain();
}

bool derive_runs_once(const ProgramView& s, const std::string& definition) {
  const auto runs = s.of(definition);
  for (std::size_t a = 0; a < runs.size(); ++a) {
    const bool function = isl_map_plain_is_single_valued(s.time(runs[a]).get()) == isl_bool_true;
    if (!function && !s.executions(runs[a]).is_single_valued()) return false;
    for (std::size_t b = 0; b < a; ++b)
      if (!s.instances(runs[a]).is_disjoint(s.instances(runs[b]))) return false;
  }
  return true;
}

int allocating_loop(const std::vector<Path>& loops, const Path& path) {
  const auto found = std::find_if(loops.begin(), loops.end(),
                                  [&](const Path& loop) { return is_inside(path, loop); });
  return found == loops.end() ? -1 : int(found - loops.begin());
}

}  // namespace

FactEvaluator::FactEvaluator(const Program& program)
    : program_(program),
      mapping_(complete_mapping(program)),
      all_(branches(mapping_)),
      layout_(program.layout) {
  for (const Placed& placed : all_) {
    by_definition_[placed.branch->definition].push_back(placed);
    for (std::size_t level = 0; level < placed.loops.size(); ++level)
      for (const std::string& buffer : placed.loops[level]->allocations) {
        std::vector<Path>& loops = allocating_[buffer];
        Path loop = prefix(placed.path, level + 1);
        if (std::find(loops.begin(), loops.end(), loop) == loops.end())
          loops.push_back(std::move(loop));
      }
  }
}

const std::vector<Path>& FactEvaluator::allocating_loops(const std::string& buffer) const {
  static const std::vector<Path> none;
  const auto found = allocating_.find(buffer);
  return found == allocating_.end() ? none : found->second;
}

void FactEvaluator::give_automatic_places(
    const std::function<bool(const std::string&)>& runs_once) {
  for (const Definition& d : algorithm().definitions) {
    if (layout_.store.count(d.array) || layout_.find(d.array)) continue;
    if (is_update(d) || (!d.is_initial && !runs_once(d.name)))
      add_own_buffer(layout_, algorithm(), d.array);
  }
}

bool FactEvaluator::is_there(const FactScope& scope) const {
  return scope.buffer.empty() || scope.number < int(allocating_loops(scope.buffer).size());
}

std::vector<Placed> FactEvaluator::placed(const FactScope& scope,
                                          const std::string& definition) const {
  const auto found = by_definition_.find(definition);
  if (found == by_definition_.end()) return {};
  std::vector<Placed> all = found->second;
  if (scope.buffer.empty()) return all;
  const Path loop = allocating_loops(scope.buffer)[std::size_t(scope.number)];
  std::erase_if(all, [&](const Placed& p) { return !is_inside(p.path, loop); });
  return all;
}

const Placed* FactEvaluator::find(const BranchId& branch) const {
  const auto found = by_definition_.find(branch.definition);
  if (found == by_definition_.end() || branch.number >= int(found->second.size())) return nullptr;
  return &found->second[std::size_t(branch.number)];
}

bool FactEvaluator::steps_over_tiles(const FactScope& scope) const {
  const Path loop = allocating_loops(scope.buffer)[std::size_t(scope.number)];
  const auto around = loops_along(mapping_, loop);
  return std::any_of(around.begin(), around.end(),
                     [](const Loop* one) { return one->tile_size.has_value(); });
}

isl::map FactEvaluator::executions_in(const FactScope& scope, const Placed& placed) const {
  const Path loop = allocating_loops(scope.buffer)[std::size_t(scope.number)];
  std::vector<std::string> iterators;
  for (const Loop* around : loops_along(mapping_, loop)) {
    const bool one = scope.one_tile && around->tile_size;
    iterators.push_back(one ? "" : iterator_parameter(around->name, algorithm()));
  }
  return fixed(executions(*placed.branch), iterators);
}

FactValue FactEvaluator::value(const Fact& fact, const ProgramView& view) const {
  if (!is_there(fact.scope)) return {};
  switch (fact.of) {
    case Fact::Of::branches: return int(placed(fact.scope, fact.name).size());
    case Fact::Of::runs_once: return view.derived("runs once", derive_runs_once, fact.name);
    case Fact::Of::tagged: return tagged_loops();
    case Fact::Of::everything: return {};
    case Fact::Of::time:
    case Fact::Of::instances:
    case Fact::Of::leading:
    case Fact::Of::executed:
    case Fact::Of::relative_position:
    case Fact::Of::allocation:
    case Fact::Of::threads:
    case Fact::Of::in_threads:
    case Fact::Of::owners: return value_of_branch(fact, view);
    default: return value_of_buffer(fact);
  }
}

FactValue FactEvaluator::value_of_branch(const Fact& fact, const ProgramView& view) const {
  const auto all = placed(fact.scope, fact.name);
  if (fact.number >= int(all.size())) return {};
  const Placed& here = all[std::size_t(fact.number)];
  const BranchId branch{fact.name, fact.number};
  const bool whole = fact.scope.buffer.empty();
  switch (fact.of) {
    case Fact::Of::time:
      if (whole) return isl::map(here.branch->time);
      if (fact.scope.one_tile && !steps_over_tiles(fact.scope))
        return view.inside(fact.scope.buffer, fact.scope.number).time(branch);
      return executions_in(fact.scope, here);
    case Fact::Of::instances:
      return whole ? isl::set(here.branch->instances) : view.time(branch).domain();
    case Fact::Of::leading:
      if (fact.level > int(here.loops.size())) return {};
      return view.derived("leading", derive_leading, branch, fact.level);
    case Fact::Of::executed: return view.derived("executed", derive_executed, branch);
    case Fact::Of::relative_position: {
      const auto others = placed(fact.scope, fact.other);
      if (fact.level >= int(others.size())) return {};
      return relative_position(here, others[std::size_t(fact.level)]);
    }
    case Fact::Of::allocation: return allocating_loop(allocating_loops(fact.other), here.path);
    case Fact::Of::threads: return thread_ids(mapping_, here, algorithm().context);
    case Fact::Of::in_threads:
      return std::any_of(here.loops.begin(), here.loops.end(),
                         [](const Loop* loop) { return loop->processor == Processor::thread; });
    case Fact::Of::owners:
      if (fact.level >= int(here.loops.size())) return {};
      return owners({branch, fact.level});
    default: return {};
  }
}

FactValue FactEvaluator::value_of_buffer(const Fact& fact) const {
  switch (fact.of) {
    case Fact::Of::buffers: {
      std::vector<std::string> names;
      for (const LayoutBuffer& buffer : layout_.buffers) names.push_back(buffer.name);
      return names;
    }
    case Fact::Of::buffer: return buffer_of(layout_, fact.name);
    case Fact::Of::arrays: return arrays_in(layout_, fact.name);
    case Fact::Of::place: {
      const auto found = layout_.store.find(fact.name);
      if (found == layout_.store.end()) return {};
      return isl::map(found->second);
    }
    case Fact::Of::box: {
      const LayoutBuffer* buffer = layout_.find(fact.name);
      if (!buffer) return {};
      if (buffer->extents.empty()) return false;
      const auto box = box_of(isl(), fact.name, buffer->extents);
      return box ? FactValue(*box) : FactValue(false);
    }
    case Fact::Of::memory: {
      const LayoutBuffer* buffer = layout_.find(fact.name);
      return to_string(buffer ? buffer->memory : Memory::automatic);
    }
    case Fact::Of::allocating: return int(allocating_loops(fact.name).size());
    case Fact::Of::kept: return is_kept(fact.name);
    default: return {};
  }
}

// Does the caller see the buffer, or one with other scalars of the same tuples?
bool FactEvaluator::is_kept(const std::string& name) const {
  const LayoutBuffer* buffer = layout_.find(name);
  const auto arrays = arrays_in(layout_, name);
  return (buffer && buffer->role != BufferRole::temporary) ||
         std::any_of(arrays.begin(), arrays.end(), [&](const std::string& array) {
           return is_output(layout_, algorithm(), array);
         });
}

std::vector<BranchId> FactEvaluator::owners(const LoopAt& loop) const {
  const Path path = prefix(find(loop.branch)->path, std::size_t(loop.level) + 1);
  std::vector<BranchId> runs;
  for (const auto& [definition, placed] : by_definition_) {
    if (algorithm().find(definition)->is_initial) continue;
    for (std::size_t n = 0; n < placed.size(); ++n)
      if (is_inside(placed[n].path, path)) runs.push_back({definition, int(n)});
  }
  return runs;
}

std::vector<LoopAt> FactEvaluator::tagged_loops() const {
  std::vector<LoopAt> tagged;
  std::vector<const Loop*> seen;
  std::map<std::string, int> numbers;
  for (const Placed& placed : all_) {
    const std::string& definition = placed.branch->definition;
    const BranchId branch{definition, numbers[definition]++};
    if (algorithm().find(definition)->is_initial) continue;
    for (std::size_t level = 0; level < placed.loops.size(); ++level) {
      const Loop* loop = placed.loops[level];
      const bool known = std::find(seen.begin(), seen.end(), loop) != seen.end();
      if (known || !traits(loop->processor).constant_extent) continue;
      seen.push_back(loop);
      tagged.push_back({branch, int(level)});
    }
  }
  return tagged;
}

const Loop& FactEvaluator::loop(const LoopAt& loop) const {
  return *find(loop.branch)->loops[std::size_t(loop.level)];
}

isl::union_map FactEvaluator::theta(const FactScope& scope) const {
  const int dimensions = 2 * max_depth(mapping_) + 1;
  isl::union_map all = isl::union_map::empty(isl());
  for (const auto& [definition, unused] : by_definition_)
    for (const Placed& here : placed(scope, definition)) {
      Branch branch = *here.branch;
      if (!scope.buffer.empty()) {
        branch.time = TimeMap::from(executions_in(scope, here));
        branch.instances = InstanceSet::from(isl::map(branch.time).domain());
      }
      const Placed seen{here.path, here.loops, &branch};
      all = all.unite(strata::theta(seen, dimensions).to_union_map());
    }
  return all;
}

}  // namespace strata
