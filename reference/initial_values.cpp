#include "reference/initial_values.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <map>

#include "reference/executions.h"
#include "reference/processors.h"

namespace strata::reference {

namespace {

struct SumPair {
  const Definition& contributions;
  const Definition& initial;
};

// { S[r, k] -> S_init[r] }
isl::map rho(const SumPair& sum) {
  const isl::set instances = sum.contributions.domain;
  isl_map* result = isl_map_identity(isl_space_map_from_set(isl_set_get_space(instances.get())));
  const auto kept = unsigned(sum.contributions.reduction->results);
  const auto all = unsigned(isl_map_dim(result, isl_dim_out));
  result = isl_map_project_out(result, isl_dim_out, kept, all - kept);
  return isl::manage(isl_map_set_tuple_name(result, isl_dim_out, sum.initial.name.c_str()));
}

// { S[i] -> [t_q : q one of "levels"] }
isl::map at_levels(const isl::map& time, const std::vector<bool>& levels) {
  isl_map* result = time.copy();
  for (std::size_t q = levels.size(); q-- > 0;)
    if (!levels[q]) result = isl_map_project_out(result, isl_dim_out, unsigned(q), 1);
  return isl::manage(result);
}

isl::map at_level(const Leaf& leaf, std::size_t level) {
  std::vector<bool> one(leaf.around.size(), false);
  one[level] = true;
  return at_levels(leaf.branch->time, one);
}

// For each level q: do S[r, k] and S[r, k'] have the same t_q, for all r, k, k' that have times?
std::vector<bool> functions_of_result(const SumPair& sum, const Leaf& leaf) {
  const isl::map same_result = rho(sum).apply_range(rho(sum).reverse());
  std::vector<bool> levels;
  for (std::size_t q = 0; q < leaf.around.size(); ++q) {
    const isl::map time = at_level(leaf, q);
    const isl::map others = same_result.intersect_domain(time.domain()).apply_range(time);
    levels.push_back(others.is_subset(time));
  }
  return levels;
}

// Would the first "count" loops end with one axis of a grid, or of a block, whose next one follows?
bool ends_between_axes(const Leaf& piece, std::size_t count) {
  if (count == 0 || count >= piece.around.size()) return false;
  const Processor last = piece.around[count - 1]->processor;
  return (last == Processor::block || last == Processor::thread) &&
         piece.around[count]->processor == last;
}

// The number of leading loops that all pieces of S share, and that are the same functions of the
// result in all of them: all axes of a grid or a block, or none.
std::size_t loops_around(const SumPair& sum, const std::vector<Leaf>& pieces) {
  std::size_t count = pieces.front().around.size();
  for (const Leaf& piece : pieces) {
    const std::vector<bool> levels = functions_of_result(sum, piece);
    std::size_t q = 0;
    while (q < std::min(count, levels.size()) && levels[q] &&
           piece.around[q] == pieces.front().around[q] &&
           at_level(piece, q).is_equal(at_level(pieces.front(), q)))
      ++q;
    count = q;
  }
  const auto ends_inside = [&](const Leaf& piece) { return ends_between_axes(piece, count); };
  while (std::any_of(pieces.begin(), pieces.end(), ends_inside)) --count;
  return count;
}

// Do different results have different times for every tile size T?  A loop over tiles iterates over
// floor(t / T), so its level does not count.
bool tells_results_apart(const SumPair& sum, const isl::map& time, const std::vector<Loop>& loops) {
  std::vector<bool> known;
  for (const Loop& loop : loops) known.push_back(!loop.tile_size);
  const isl::map runs = at_levels(time, known).intersect_domain(sum.initial.domain);
  const isl::map at_one_time = runs.apply_range(runs.reverse());
  return at_one_time.is_subset(
      at_one_time.space().domain().identity_multi_aff_on_domain().as_map());
}

// The name, with "_" appended until no loop around has it.
std::string free_name(std::string name, const std::vector<Loop>& around) {
  while (std::any_of(around.begin(), around.end(), [&](const Loop& l) { return l.name == name; }))
    name += "_";
  return name;
}

// Thread loops over contributions inside of those over results.
std::vector<bool> other_axes(const Leaf& leaf, const std::vector<bool>& levels) {
  std::vector<bool> others(levels.size(), false);
  bool inside = false;
  for (std::size_t q = 0; q < levels.size(); ++q) {
    if (leaf.around[q]->processor != Processor::thread) continue;
    others[q] = inside && !levels[q];
    inside = inside || levels[q];
  }
  return others;
}

// The loops of the contributions that belong to the result; parallel ones become sequential. The
// blocks and threads of a launch stay: each thread sets its own results, the first one on the other
// axes inside; without blocks, threads become blocks.
std::vector<Loop> loops_over_results(const Leaf& leaf, const std::vector<bool>& levels) {
  const std::vector<bool> others = other_axes(leaf, levels);
  std::vector<Loop> loops;
  for (std::size_t q = 0; q < levels.size(); ++q) {
    if (!levels[q] && !others[q]) continue;
    Loop loop{LoopHead{{leaf.around[q]->name, leaf.around[q]->processor}}};
    if (loop.processor == Processor::parallel) loop.processor = Processor::sequential;
    loop.tile_size = leaf.around[q]->tile_size;
    loops.push_back(loop);
  }
  bool has_blocks = false;
  for (const Loop& loop : loops) has_blocks |= loop.processor == Processor::block;
  for (Loop& loop : loops)
    if (!has_blocks && loop.processor == Processor::thread) loop.processor = Processor::block;
  return loops;
}

// { S_init[r] -> t_q(rho^-1(S_init[r])) : q one of "levels" }
isl::map time_of_results(const SumPair& sum, const Leaf& leaf, const std::vector<bool>& levels) {
  return rho(sum).reverse().apply_range(at_levels(leaf.branch->time, levels));
}

// The same with 0 on the other axes of threads.
isl::map with_other_axes(const isl::map& time, const Leaf& leaf, const std::vector<bool>& levels) {
  const std::vector<bool> others = other_axes(leaf, levels);
  isl_map* result = time.copy();
  unsigned position = 0;
  for (std::size_t q = 0; q < levels.size(); ++q) {
    if (others[q]) {
      result = isl_map_insert_dims(result, isl_dim_out, position, 1);
      result = isl_map_fix_si(result, isl_dim_out, position, 0);
    }
    position += levels[q] || others[q] ? 1 : 0;
  }
  return isl::manage(result);
}

// { S_init[r] : the branch has times for contributions to r, made or not }
isl::set results_of(const SumPair& sum, const Leaf& leaf) {
  const std::vector<bool> levels = functions_of_result(sum, leaf);
  return time_of_results(sum, leaf, levels).domain().intersect(sum.initial.domain);
}

// The branch of S_init, for "results", in its loops, without the first "outside" of them.
Node initial_node(const SumPair& sum, const Leaf& leaf, std::size_t outside,
                  const isl::set& results) {
  const std::vector<bool> levels = functions_of_result(sum, leaf);
  std::vector<Loop> loops = loops_over_results(leaf, levels);
  isl::map time = with_other_axes(time_of_results(sum, leaf, levels), leaf, levels);
  if (!tells_results_apart(sum, time, loops)) {
    isl_map* same = isl_map_identity(isl_space_map_from_set(isl_set_get_space(results.get())));
    same = isl_map_reset_tuple_id(same, isl_dim_out);
    time = isl::manage(isl_map_flat_range_product(time.release(), same));
    for (const std::string& name : sum.initial.iterators)
      loops.push_back(Loop{LoopHead{{free_name(name, loops)}}});
  }
  Node node{Branch{sum.initial.name, TimeMap::from(time), InstanceSet::from(results)}};
  for (std::size_t q = loops.size(); q-- > outside;) {
    loops[q].body.push_back(std::move(node));
    node = Node{std::move(loops[q])};
  }
  return node;
}

// The path of a node -> what runs directly before it.
using Insertions = std::map<std::vector<int>, std::vector<Node>>;

void insert_before(const SumPair& sum, const std::vector<Leaf>& pieces, const isl::set& results,
                   Insertions& insertions) {
  const std::size_t outside = loops_around(sum, pieces);
  const std::vector<int>& path = pieces.front().path;
  insertions[{path.begin(), path.begin() + std::ptrdiff_t(outside) + 1}].push_back(
      initial_node(sum, pieces.front(), outside, results));
}

bool is_empty(const isl::set& set, const isl::set& context) {
  return set.intersect_params(context).is_empty();
}

// Do the branches contribute to one result? Two that run one instance recompute it, each for
// itself.
bool contribute_together(const SumPair& sum, const Leaf& a, const Leaf& b,
                         const isl::set& context) {
  const isl::set both = isl::set(a.branch->instances).intersect(b.branch->instances);
  return is_empty(both, context) &&
         !is_empty(results_of(sum, a).intersect(results_of(sum, b)), context);
}

// The branches that contribute to the results of the first, directly or through others; they are
// taken out of "rest".
std::vector<Leaf> taken_group(const SumPair& sum, std::vector<Leaf>& rest,
                              const isl::set& context) {
  std::vector<Leaf> group{rest.front()};
  rest.erase(rest.begin());
  for (std::size_t n = 0; n < group.size(); ++n)
    for (auto other = rest.begin(); other != rest.end();) {
      if (!contribute_together(sum, group[n], *other, context)) {
        ++other;
        continue;
      }
      group.push_back(*other);
      other = rest.erase(other);
    }
  std::sort(group.begin(), group.end(),
            [](const Leaf& a, const Leaf& b) { return a.path < b.path; });
  return group;
}

// Branches that contribute to the same results share initial values: each result begins before the
// first branch, in static order, that has times for it.
void insert(const SumPair& sum, const Program& program, Insertions& insertions) {
  const isl::set context = program.algorithm->context;
  std::vector<Leaf> own = leaves(program.mapping);
  std::erase_if(own, [&](const Leaf& l) { return l.branch->definition != sum.contributions.name; });
  while (!own.empty()) {
    std::vector<Leaf> group = taken_group(sum, own, context);
    isl::set left = sum.initial.domain;
    for (bool first = true; !group.empty(); group.erase(group.begin()), first = false) {
      const isl::set here = results_of(sum, group.front()), begun = left.intersect(here);
      if (is_empty(begun, context)) continue;
      insert_before(sum, group, first ? isl::set(sum.initial.domain) : begun, insertions);
      left = left.subtract(here);
    }
  }
}

std::vector<Node> with_insertions(const std::vector<Node>& nodes, const Insertions& insertions,
                                  std::vector<int>& path) {
  std::vector<Node> result;
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    path.push_back(int(position));
    if (const auto before = insertions.find(path); before != insertions.end())
      result.insert(result.end(), before->second.begin(), before->second.end());
    result.push_back(nodes[position]);
    if (result.back().is_loop())
      result.back().loop().body = with_insertions(nodes[position].loop().body, insertions, path);
    path.pop_back();
  }
  return result;
}

}  // namespace

Mapping with_initial_values(const Program& program) {
  Insertions insertions;
  for (const Definition& d : program.algorithm->definitions)
    if (d.reduction)
      insert({d, *program.algorithm->find(d.reduction->initial)}, program, insertions);
  std::vector<int> path;
  return {with_insertions(program.mapping.roots, insertions, path)};
}

}  // namespace strata::reference
