#include "layers/flow/initial_values.h"

#include <isl/map.h>

#include <algorithm>

#include "core/sets/coalesce.h"

namespace strata {

namespace {

// True if the level does not depend on k, the "count" iterators from "first" on:
// { S[r, k] -> t : S[r, k'] -> t for some k', and S[r, k] runs } = { S[r, k] -> t }
bool is_independent_of(const isl::map& level, unsigned first, unsigned count) {
  if (!isl_map_involves_dims(level.get(), isl_dim_in, first, count)) return true;
  const isl::map cylinder = isl::manage(isl_map_insert_dims(
      isl_map_project_out(level.copy(), isl_dim_in, first, count), isl_dim_in, first, count));
  return cylinder.set_domain_tuple(level.domain_tuple_id())
      .intersect_domain(level.domain())
      .is_subset(level);
}

// { S_init[r] -> [t_q : q is a level of the result] }
isl::map result_time(const Definition& reduction, const Placed& placed,
                     const std::vector<bool>& levels) {
  const auto results = unsigned(reduction.reduction->results);
  isl::map time = placed.branch->time;
  for (unsigned q = unsigned(levels.size()); q-- > 0;)
    if (!levels[q]) time = isl::manage(isl_map_project_out(time.release(), isl_dim_out, q, 1));
  const unsigned reduced = time.domain_tuple_dim() - results;
  time = isl::manage(isl_map_project_out(time.release(), isl_dim_in, results, reduced));
  return time.set_domain_tuple(reduction.reduction->initial);
}

std::string fresh(const std::string& name, const std::vector<std::string>& taken) {
  std::string result = name;
  while (std::find(taken.begin(), taken.end(), result) != taken.end()) result += "_";
  return result;
}

// If all block loops run over contributions, the initial values have no block loop. Then the thread
// loops over results become the block loops of a launch of their own.
void require_blocks(std::vector<Loop>& loops) {
  const auto is = [](Processor p) { return [p](const Loop& loop) { return loop.processor == p; }; };
  if (std::any_of(loops.begin(), loops.end(), is(Processor::block))) return;
  for (Loop& loop : loops)
    if (loop.processor == Processor::thread) set_processor(loop, Processor::block);
}

// Adds the thread loops over contributions inside thread loops over results, with one iteration
// each. So the results keep their axis of the block, and the first thread along each added axis
// sets them.
void keep_axes(ResultLoops& loops, const Placed& placed, const std::vector<bool>& levels) {
  unsigned at = 0;
  bool in_threads = false;
  for (std::size_t q = 0; q < levels.size(); ++q) {
    const bool is_thread = placed.loops[q]->processor == Processor::thread;
    if (!levels[q] && !(in_threads && is_thread)) continue;
    if (!levels[q]) {
      isl_map* time = isl_map_insert_dims(loops.time.release(), isl_dim_out, at, 1);
      loops.time = isl::manage(isl_map_fix_si(time, isl_dim_out, at, 0));
      loops.loops.insert(loops.loops.begin() + at, Loop{initializing(*placed.loops[q])});
    }
    in_threads = in_threads || is_thread;
    ++at;
  }
}

}  // namespace

std::vector<bool> result_levels(const Definition& reduction, const Placed& placed) {
  const isl::map time = placed.branch->time;
  const auto results = unsigned(reduction.reduction->results);
  const unsigned reduced = time.domain_tuple_dim() - results;
  std::vector<bool> levels;
  for (unsigned q = 0; q < placed.loops.size(); ++q)
    levels.push_back(is_independent_of(one_level(time, q), results, reduced));
  return levels;
}

std::vector<std::string> names_of(const ResultLoops& loops) {
  std::vector<std::string> names;
  for (const Loop& loop : loops.loops) names.push_back(loop.name);
  return names;
}

namespace {

// The levels that are functions of the result.
ResultLoops own_levels(const Definition& reduction, const Placed& placed,
                       const std::vector<bool>& levels) {
  ResultLoops loops{result_time(reduction, placed, levels), {}};
  for (std::size_t q = 0; q < levels.size(); ++q)
    if (levels[q]) loops.loops.push_back(Loop{initializing(*placed.loops[q])});
  return loops;
}

// The same loops, followed by the iterators of the result if the loops do not distinguish the
// results.
ResultLoops telling_apart(ResultLoops loops, const Definition& initial) {
  const isl::set results = initial.domain;
  std::vector<const Loop*> around;
  for (const Loop& loop : loops.loops) around.push_back(&loop);
  if (known_time(loops.time.intersect_domain(results), around).is_injective()) return loops;
  auto result = results.space().identity_multi_aff_on_domain().as_map();
  result = isl::manage(isl_map_reset_tuple_id(result.release(), isl_dim_out));
  loops.time = loops.time.range_product(result).flatten_range();
  for (const auto& name : initial.iterators)
    loops.loops.push_back(Loop{LoopHead{{fresh(name, names_of(loops))}}});
  return loops;
}

}  // namespace

ResultLoops result_loops(const Definition& reduction, const Placed& placed,
                         const Definition& initial) {
  ResultLoops loops = own_levels(reduction, placed, result_levels(reduction, placed));
  require_blocks(loops.loops);
  return telling_apart(std::move(loops), initial);
}

namespace {

// The number of leading levels on which all branches of the reduction share their loops.
unsigned common_levels(const std::vector<Placed>& placed) {
  unsigned shared = unsigned(placed.front().loops.size());
  for (const Placed& p : placed) {
    unsigned level = 0;
    while (level < shared && level < p.loops.size() && p.path[level] == placed.front().path[level])
      ++level;
    shared = level;
  }
  return shared;
}

// p, moved outwards if it stands between the block loops of a launch or between the thread loops of
// a block: nothing may stand there (R211).
unsigned outside_axes(const std::vector<const Loop*>& loops, unsigned p) {
  while (0 < p && p < loops.size() && is_of_launch(loops[p]->processor) &&
         loops[p]->processor == loops[p - 1]->processor)
    --p;
  return p;
}

// p: the number of leading levels that are the same function of the result in every branch, moved
// out of the axes of a launch.
unsigned prefix_levels(const Definition& reduction, const std::vector<Placed>& placed) {
  unsigned p = common_levels(placed);
  for (const Placed& one : placed) {
    const auto levels = result_levels(reduction, one);
    unsigned same = 0;
    while (
        same < p && levels[same] &&
        (&one == &placed.front() ||
         one_level(one.branch->time, same).is_equal(one_level(placed.front().branch->time, same))))
      ++same;
    p = same;
  }
  for (const Placed& one : placed) p = outside_axes(one.loops, p);
  return p;
}

// { S_init[r] : the branch gives the contributions to r a time }, even if r has no contributions.
isl::set results_at(const Definition& reduction, const Placed& placed, const Definition& initial) {
  return result_time(reduction, placed, result_levels(reduction, placed))
      .domain()
      .intersect(initial.domain);
}

// True if both branches contribute to a common result. Branches that share an instance do not: each
// recomputes its results separately.
bool add_up(const Definition& reduction, const Placed& a, const Placed& b,
            const Definition& initial, const isl::set& context) {
  const isl::set both = isl::set(a.branch->instances).intersect(b.branch->instances);
  return both.intersect_params(context).is_empty() &&
         !results_at(reduction, a, initial)
              .intersect(results_at(reduction, b, initial))
              .intersect_params(context)
              .is_empty();
}

// The branches in groups that contribute to the same results, as indices into "placed".
std::vector<std::vector<std::size_t>> sharing(const Definition& reduction,
                                              const std::vector<Placed>& placed,
                                              const Definition& initial, const isl::set& context) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t n = 0; n < placed.size(); ++n) {
    std::vector<std::size_t> joined{n};
    std::erase_if(groups, [&](const std::vector<std::size_t>& group) {
      const bool joins = std::any_of(group.begin(), group.end(), [&](std::size_t other) {
        return add_up(reduction, placed[other], placed[n], initial, context);
      });
      if (joins) joined.insert(joined.end(), group.begin(), group.end());
      return joins;
    });
    std::sort(joined.begin(), joined.end());
    groups.push_back(std::move(joined));
  }
  return groups;
}

// Inserts the initial values of "results" before the branches "placed", which together compute
// them.
void insert_before(Mapping& mapping, const Definition& reduction, const Definition& initial,
                   const std::vector<Placed>& placed, const isl::set& results) {
  const unsigned p = prefix_levels(reduction, placed);
  const auto levels = result_levels(reduction, placed.front());
  ResultLoops loops = own_levels(reduction, placed.front(), levels);
  keep_axes(loops, placed.front(), levels);
  require_blocks(loops.loops);
  loops = telling_apart(std::move(loops), initial);
  std::vector<Loop> own(loops.loops.begin() + p, loops.loops.end());
  Path before(placed.front().path.begin(), placed.front().path.begin() + p + 1);
  auto& siblings = siblings_at(mapping, before);
  siblings.insert(siblings.begin() + before.back(),
                  in_loops(std::move(own),
                           {initial.name, TimeMap::from(loops.time), InstanceSet::from(results)}));
}

// The same for the branches with the indices "group", which contribute to the same results. Each
// result gets its initial value before the first branch, in static order, that gives it a time.
void insert_before_pieces(Mapping& mapping, const Algorithm& algorithm, const Definition& reduction,
                          const Definition& initial, const std::vector<std::size_t>& group) {
  isl::set left = initial.domain;
  for (std::size_t first = 0; first < group.size(); ++first) {
    const auto now = branches_of(mapping, reduction.name);
    std::vector<Placed> pieces;
    for (std::size_t n = first; n < group.size(); ++n) pieces.push_back(now[group[n]]);
    const isl::set timed = results_at(reduction, pieces.front(), initial);
    const isl::set begun = left.intersect(timed).intersect_params(algorithm.context);
    if (begun.is_empty()) continue;
    insert_before(mapping, reduction, initial, pieces,
                  first == 0 ? isl::set(initial.domain) : begun);
    left = coalesced(left.subtract(timed));
  }
}

void insert_initial(Mapping& mapping, const Algorithm& algorithm, const Definition& reduction) {
  const auto placed = branches_of(mapping, reduction.name);
  if (placed.empty()) return;
  const Definition& initial = *algorithm.find(reduction.reduction->initial);
  if (placed.size() == 1) return insert_before(mapping, reduction, initial, placed, initial.domain);
  for (const auto& group : sharing(reduction, placed, initial, algorithm.context))
    insert_before_pieces(mapping, algorithm, reduction, initial, group);
}

}  // namespace

Mapping complete_mapping(const Program& program) {
  Mapping mapping = program.mapping;
  for (const Definition& d : program.algorithm->definitions)
    if (d.reduction) insert_initial(mapping, *program.algorithm, d);
  return mapping;
}

}  // namespace strata
