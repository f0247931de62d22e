#include "layers/define/result_copy.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "core/sets/quotients.h"
#include "layers/define/build.h"
#include "layers/define/build_parts.h"
#include "layers/define/copy.h"
#include "layers/flow/initial_values.h"
#include "layers/flow/order.h"
#include "layers/verify/verify_algorithm.h"

namespace strata {

namespace {

class ResultCopy {
 public:
  ResultCopy(const Program& program, const std::string& array, const std::string& made,
             const std::vector<std::string>& iterators)
      : program_(program),
        whole_(*program.algorithm->find(array)),
        initial_(whole_.reduction ? program.algorithm->find(whole_.reduction->initial) : nullptr),
        iterators_(iterators),
        made_(renamed(whole_, made, made)) {
    if (whole_.reduction) made_.reduction->initial = made + "_init";
    edit_expressions(made_, [&](const Expr& e) { return with_renamed(e, array, made); });
  }

  Program program(unsigned levels) const {
    Program result = program_;
    Algorithm algorithm = *program_.algorithm;
    const Definition copy = this->copy();
    replace_definitions(algorithm, copy);
    if (initial_) rename(algorithm.reference, initial_->name, made_.reduction->initial);
    place(algorithm.reference, copy, result_levels(algorithm.reference), {});
    const Path loop = place(result.mapping, copy, levels, iterators_);
    allocate_in(result.mapping, loop, made_.array);
    result.algorithm = std::make_shared<const Algorithm>(std::move(algorithm));
    return result;
  }

 private:
  static Definition renamed(Definition d, const std::string& name, const std::string& array) {
    d.name = name;
    d.array = array;
    d.domain = InstanceSet::from(with_tuple_name(d.domain, name));
    if (d.given_ranges) d.given_ranges = with_tuple_name(*d.given_ranges, name);
    isl::map defines = d.defines;
    defines = defines.set_domain_tuple(name).set_range_tuple(array);
    d.defines = ValueRelation::from(defines);
    return d;
  }

  static void rename(Mapping& mapping, const std::string& from, const std::string& to) {
    for (Node& root : mapping.roots)
      for_each_branch(root, [&](Branch& branch) {
        if (branch.definition != from) return;
        branch.definition = to;
        branch.time = TimeMap::from(isl::map(branch.time).set_domain_tuple(to));
        branch.instances = InstanceSet::from(with_tuple_name(branch.instances, to));
      });
  }

  // X(e) = made(e) for every existing e.
  Definition copy() const {
    const Definition& values = initial_ ? *initial_ : whole_;
    Definition d = renamed(values, whole_.name, whole_.array);
    d.is_initial = false;
    d.iterators = iterators_;
    d.domain = InstanceSet::from(with_dim_names(d.domain, iterators_));
    if (d.given_ranges) d.given_ranges = with_dim_names(*d.given_ranges, iterators_);
    d.predicate = Expr();
    d.reduction.reset();
    d.inferred = whole_.inferred;
    std::vector<Expr> element;
    for (const std::string& name : iterators_) element.push_back(variable(name));
    d.value = access(made_.array, made_.type, element);
    return d;
  }

  void replace_definitions(Algorithm& algorithm, const Definition& copy) const {
    if (initial_)
      algorithm.edit(initial_->name) = renamed(*initial_, made_.reduction->initial, made_.array);
    algorithm.edit(whole_.name) = copy;
    algorithm.definitions.insert(place_of(algorithm, whole_.name), made_);
  }

  // The number of outer loops in the reference order that are functions of the result.
  unsigned result_levels(const Mapping& reference) const {
    const Placed placed = branches_of(reference, whole_.name).front();
    if (!whole_.reduction) return unsigned(placed.loops.size());
    const std::vector<bool> levels = strata::result_levels(whole_, placed);
    return unsigned(std::find(levels.begin(), levels.end(), false) - levels.begin());
  }

  // { X[e] -> pre(t(e)) }
  isl::map prefix_time(const Placed& placed, unsigned levels) const {
    isl_map* time = leading_levels(placed.branch->time, levels).release();
    const auto results = unsigned(iterators_.size());
    const auto reduced = unsigned(whole_.iterators.size()) - results;
    time = isl_map_project_out(time, isl_dim_in, results, reduced);
    return explicit_quotients(isl::manage(time).set_domain_tuple(whole_.name));
  }

  // Replaces X by "made", and puts X just after it in the loop at "levels", over loops named
  // "names" (default: none if the times there distinguish the results, else the iterators of
  // "copy"). Returns the path of that loop.
  Path place(Mapping& mapping, const Definition& copy, unsigned levels,
             std::vector<std::string> names) const {
    const Placed placed = branches_of(mapping, whole_.name).front();
    isl::map time = prefix_time(placed, levels);
    const bool apart = time.intersect_domain(copy.domain).is_injective();
    if (names.empty() && !apart) names = copy.iterators;
    const Branch own = identity_branch(copy);
    if (!names.empty()) time = time.range_product(own.time).flatten_range();
    isl::set runs = copy.domain;
    const isl::set instances = placed.branch->instances;
    if (!isl::set(whole_.domain).is_subset(instances))
      runs = explicit_quotients(
          results_of(instances, unsigned(iterators_.size()), whole_.name).intersect(runs));
    const int outside = std::min(placed.branch->reader_loops, int(levels));
    const Branch branch{copy.name, TimeMap::from(time), InstanceSet::from(runs), outside};

    const Path after = prefix(placed.path, levels + 1);
    rename(mapping, whole_.name, made_.name);
    auto& siblings = siblings_at(mapping, after);
    siblings.insert(siblings.begin() + after.back() + 1, in_loops(sequential_loops(names), branch));
    return prefix(after, levels);
  }

  const Program& program_;
  const Definition& whole_;
  const Definition* initial_;
  const std::vector<std::string> iterators_;
  Definition made_;
};

}  // namespace

Program with_result_copy(const Program& program, const std::string& array, unsigned levels,
                         const std::string& made, const std::vector<std::string>& iterators,
                         const Request& request) {
  const Definition& whole = *program.algorithm->find(array);
  require_new_array(program, made, request);
  if (whole.reduction) require_new_name(*program.algorithm, made + "_init", request);
  for (const std::string& name : iterators) require_new_name(*program.algorithm, name, request);
  const auto results =
      whole.reduction ? std::size_t(whole.reduction->results) : whole.iterators.size();
  if (iterators.size() != results)
    throw request.refused(Code::E0109_wrong_arity,
                          array + " has " + std::to_string(results) + " indices, not " +
                              std::to_string(iterators.size()),
                          "name one loop for each index");
  const Program result = ResultCopy(program, array, made, iterators).program(levels);
  return completed(result, *result.algorithm, request);
}

}  // namespace strata
