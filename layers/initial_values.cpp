#include "layers/initial_values.h"

#include <isl/aff.h>

#include <algorithm>
#include <optional>

namespace strata {

namespace {

// A level of one branch as a function of the result, { S_init[r] -> t_q }; nothing where it uses a
// reduced iterator, or where instances run several times.
using ResultLevel = std::optional<isl::pw_aff>;

std::vector<ResultLevel> result_levels(const Definition& reduction, const Placed& placed) {
  const isl::map time = placed.branch->time;
  std::vector<ResultLevel> levels(placed.loops.size());
  if (!time.is_single_valued()) return levels;
  const auto results = unsigned(reduction.reduction->results);
  const unsigned reduced = time.domain_tuple_dim() - results;
  const isl::pw_multi_aff iterators = time.as_pw_multi_aff();
  for (unsigned q = 0; q < levels.size(); ++q) {
    isl::pw_aff level = iterators.at(int(q));
    if (isl_pw_aff_involves_dims(level.get(), isl_dim_in, results, reduced)) continue;
    isl_pw_aff* of_result = isl_pw_aff_drop_dims(level.release(), isl_dim_in, results, reduced);
    levels[q] = isl::manage(isl_pw_aff_set_tuple_id(
        of_result, isl_dim_in,
        isl::id(time.ctx(), reduction.reduction->initial).release()));
  }
  return levels;
}

std::string fresh(const std::string& name, const std::vector<std::string>& taken) {
  std::string result = name;
  while (std::find(taken.begin(), taken.end(), result) != taken.end()) result += "_";
  return result;
}

// The loops of an initial definition and its time under them, built level by level.
class InitialLoops {
 public:
  explicit InitialLoops(const isl::space& results)
      : time_(results.add_unnamed_tuple(0).zero_multi_pw_aff()) {}

  void add(const isl::pw_aff& level, const std::string& name) {
    time_ = time_.flat_range_product(isl::multi_pw_aff(level));
    names_.push_back(fresh(name, names_));
  }
  isl::map time() const { return time_.as_map(); }
  const std::vector<std::string>& names() const { return names_; }

 private:
  isl::multi_pw_aff time_;
  std::vector<std::string> names_;
};

// The levels of S that are functions of the result, then the result where they do not tell its
// instances apart.
InitialLoops loops_of(const std::vector<ResultLevel>& levels, const Placed& placed,
                      const Definition& initial) {
  const isl::set results = initial.domain;
  InitialLoops loops(results.space());
  for (std::size_t q = 0; q < levels.size(); ++q)
    if (levels[q]) loops.add(*levels[q], placed.loops[q]->name);
  if (loops.time().intersect_domain(results).is_injective()) return loops;
  const auto result = results.space().identity_multi_pw_aff_on_domain();
  for (unsigned d = 0; d < initial.iterators.size(); ++d)
    loops.add(result.at(int(d)), initial.iterators[d]);
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

// p: the leading levels that are the same function of the result in every branch.
unsigned prefix_levels(const Definition& reduction, const std::vector<Placed>& placed) {
  const auto first = result_levels(reduction, placed.front());
  unsigned p = common_levels(placed);
  for (const Placed& one : placed) {
    const auto levels = result_levels(reduction, one);
    unsigned same = 0;
    while (same < p && first[same] && levels[same] && first[same]->plain_is_equal(*levels[same]))
      ++same;
    p = same;
  }
  return p;
}

void insert_initial(Mapping& mapping, const Algorithm& algorithm, const Definition& reduction) {
  const auto placed = branches_of(mapping, reduction.name);
  if (placed.empty()) return;
  const Definition& initial = *algorithm.find(reduction.reduction->initial);
  const unsigned p = prefix_levels(reduction, placed);
  const auto loops = loops_of(result_levels(reduction, placed.front()), placed.front(), initial);
  const std::vector<std::string> own(loops.names().begin() + p, loops.names().end());
  Path before(placed.front().path.begin(), placed.front().path.begin() + p + 1);
  auto& siblings = siblings_at(mapping, before);
  siblings.insert(siblings.begin() + before.back(),
                  nested(own, {initial.name, TimeMap::from(loops.time()), initial.domain}));
}

}  // namespace

Mapping complete_mapping(const Program& program) {
  Mapping mapping = program.mapping;
  for (const Definition& d : program.algorithm->definitions)
    if (d.reduction) insert_initial(mapping, *program.algorithm, d);
  return mapping;
}

}  // namespace strata
