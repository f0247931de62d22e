#include "layers/initial_values.h"

#include <isl/map.h>

#include <algorithm>

namespace strata {

namespace {

isl::map first_levels(const isl::map& time, unsigned count) {
  const unsigned depth = time.range_tuple_dim();
  return isl::manage(isl_map_project_out(time.copy(), isl_dim_out, count, depth - count));
}

isl::map one_level(const isl::map& time, unsigned level) {
  const unsigned depth = time.range_tuple_dim();
  isl_map* rest = isl_map_project_out(time.copy(), isl_dim_out, level + 1, depth - level - 1);
  return isl::manage(isl_map_project_out(rest, isl_dim_out, 0, level));
}

// Where one branch of a reduction runs the contributions to each result.
struct Contributions {
  Contributions(const Definition& reduction, const Placed& placed) {
    isl::map of_result = result_of(reduction).reverse();
    all = of_result.apply_range(placed.branch->time);
    running = of_result.apply_range(
        placed.branch->time.intersect_domain(placed.branch->instances));
  }
  isl::map running;  // { S_init[r] -> [t] } of those that exist
  isl::map all;      // the same for every k, so that results without contributions have one too
};

bool is_function(const isl::map& map, const isl::set& domain) {
  return map.intersect_domain(domain).is_single_valued();
}

// p: the number of leading levels that are functions of the result.
unsigned result_levels(const Contributions& c, unsigned shared, const isl::set& results) {
  unsigned p = shared;
  while (p > 0 && !(is_function(first_levels(c.running, p), results) &&
                    is_function(first_levels(c.all, p), results)))
    --p;
  return p;
}

struct InitialLoops {
  isl::map time;
  std::vector<std::string> names;
};

std::string fresh(const std::string& name, const std::vector<std::string>& taken) {
  std::string result = name;
  while (std::find(taken.begin(), taken.end(), result) != taken.end()) result += "_";
  return result;
}

// The levels inside the prefix: those of S that are functions of the result, then the result.
InitialLoops loops_of(const Contributions& c, const Placed& placed, unsigned p,
                      const Definition& initial) {
  const isl::set results = initial.domain;
  InitialLoops loops{first_levels(c.all, p), {}};
  std::vector<std::string> taken;
  for (unsigned q = 0; q < p; ++q) taken.push_back(placed.loops[q]->name);
  auto add = [&](const isl::map& level, const std::string& name) {
    loops.time = loops.time.range_product(level).flatten_range();
    loops.names.push_back(fresh(name, taken));
    taken.push_back(loops.names.back());
  };
  for (unsigned q = p; q < placed.loops.size(); ++q) {
    isl::map level = one_level(c.all, q);
    if (is_function(level, results)) add(level, placed.loops[q]->name);
  }
  if (loops.time.intersect_domain(results).is_injective()) return loops;
  auto identity = results.space().identity_multi_aff_on_domain().as_map();
  identity = isl::manage(isl_map_reset_tuple_id(identity.release(), isl_dim_out));
  for (unsigned d = 0; d < initial.iterators.size(); ++d)
    add(one_level(identity, d), initial.iterators[d]);
  return loops;
}

Node nested(const std::vector<std::string>& names, Branch branch) {
  Node node{std::move(branch)};
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    Loop loop{*name, Processor::sequential, {}};
    loop.body.push_back(std::move(node));
    node = Node{std::move(loop)};
  }
  return node;
}

// Levels on which all branches of the reduction lie in the same loops.
unsigned common_levels(const std::vector<Placed>& placed) {
  unsigned shared = unsigned(placed.front().loops.size());
  for (const Placed& p : placed) {
    unsigned level = 0;
    while (level < shared && level < p.loops.size() &&
           p.path[level] == placed.front().path[level])
      ++level;
    shared = level;
  }
  return shared;
}

void insert_initial(Mapping& mapping, const Algorithm& algorithm, const Definition& reduction) {
  const auto placed = branches_of(mapping, reduction.name);
  if (placed.empty()) return;
  const Definition& initial = *algorithm.find(reduction.reduction->initial);
  Contributions c(reduction, placed.front());
  unsigned p = common_levels(placed);
  for (const Placed& one : placed)
    p = std::min(p, result_levels(Contributions(reduction, one), p, initial.domain));
  if (placed.size() > 1) {
    for (const Placed& one : placed) {
      c.running = first_levels(c.running, p).unite(
          first_levels(Contributions(reduction, one).running, p));
    }
    p = result_levels(c, p, initial.domain);
  }
  InitialLoops loops = loops_of(c, placed.front(), p, initial);
  Path before(placed.front().path.begin(), placed.front().path.begin() + p + 1);
  auto& siblings = siblings_at(mapping, before);
  siblings.insert(siblings.begin() + before.back(),
                  nested(loops.names, {initial.name, TimeMap::from(loops.time), initial.domain}));
}

}  // namespace

Mapping complete_mapping(const Program& program) {
  Mapping mapping = program.mapping;
  for (const Definition& d : program.algorithm->definitions)
    if (d.reduction) insert_initial(mapping, *program.algorithm, d);
  return mapping;
}

}  // namespace strata
