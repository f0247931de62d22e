#include "layers/define/partial_results.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "core/sets/coalesce.h"
#include "core/sets/quotients.h"
#include "layers/define/build.h"
#include "layers/define/build_parts.h"
#include "layers/flow/initial_values.h"
#include "layers/flow/order.h"
#include "layers/flow/reads.h"
#include "layers/verify/verify_algorithm.h"

namespace strata {

namespace {

isl::map unnamed_range(const isl::map& map) {
  return isl::manage(isl_map_reset_tuple_id(map.copy(), isl_dim_out));
}

class Split {
 public:
  Split(const Program& program, const std::string& reduction, unsigned level,
        const std::string& part, const std::string& u)
      : program_(program),
        whole_(*program.algorithm->find(reduction)),
        initial_(*program.algorithm->find(whole_.reduction->initial)),
        placed_(branches_of(program.mapping, reduction).front()),
        level_(level),
        results_(unsigned(whole_.reduction->results)),
        part_name_(part),
        u_(u) {
    const auto count = unsigned(whole_.iterators.size());
    names_ = whole_.iterators;
    names_.insert(names_.begin() + results_, u);
    to_whole_ = dropped(part, count + 1, results_, 1, whole_.name);
  }

  // True if P reads what S reads:  R_P = { P[r, u, k] -> S[r, k] } . R_S
  bool reads_the_same(const Definition& part) const {
    const isl::map whole = to_whole_.intersect_domain(part.domain);
    return all_reads(part).is_equal(whole.to_union_map().apply_range(all_reads(whole_)));
  }

  Program program() const {
    Program result = program_;
    Algorithm algorithm = *program_.algorithm;
    const Definition partial = part();
    const Definition partial_initial = part_initial(partial);
    const Definition rest = combination(partial);
    replace_definitions(algorithm, partial, partial_initial, rest);
    place_in_reference(algorithm.reference, partial, partial_initial, rest);
    place_in_schedule(result.mapping, partial, rest);
    result.algorithm = std::make_shared<const Algorithm>(std::move(algorithm));
    return result;
  }

 private:
  // { from[d0, .., d(count - 1)] -> to[..] } without the "number" dimensions from "first" on.
  isl::map dropped(const std::string& from, unsigned count, unsigned first, unsigned number,
                   const std::string& to) const {
    isl_space* space = isl_space_set_alloc(program_.session->isl().get(), 0, count);
    space = isl_space_set_tuple_name(space, isl_dim_set, from.c_str());
    isl_multi_aff* all = isl_multi_aff_identity_on_domain_space(space);
    all = isl_multi_aff_drop_dims(all, isl_dim_out, first, number);
    all = isl_multi_aff_set_tuple_name(all, isl_dim_out, to.c_str());
    return isl::manage(all).as_map();
  }

  // { P[r, u, k] : S[r, k] in "instances" and t_p(S[r, k]) = u }
  isl::set instances_of_part(const isl::set& instances) const {
    const isl::map time = one_level(placed_.branch->time, level_).intersect_domain(instances);
    const isl::map at = to_whole_.apply_range(time);
    return explicit_quotients(
        coalesced(isl::manage(isl_map_equate(at.copy(), isl_dim_in, int(results_), isl_dim_out, 0))
                      .domain()));
  }

  // { N[r, u] : P[r, u, k] in "instances" for some k }
  isl::set instances_of_results(const isl::set& instances, const std::string& name) const {
    return with_dim_names(explicit_quotients(coalesced(results_of(instances, results_ + 1, name))),
                          result_names());
  }

  std::vector<std::string> result_names() const {
    return {names_.begin(), names_.begin() + results_ + 1};
  }

  Definition part() const {
    Definition d = whole_;
    d.name = d.array = part_name_;
    for (Component& c : d.others) c.name = part_name_ + "_" + c.name;
    d.iterators = names_;
    d.domain = InstanceSet::from(with_dim_names(instances_of_part(whole_.domain), names_));
    d.given_ranges = with_dim_names(instances_of_part(*whole_.given_ranges), names_);
    const unsigned reduced = unsigned(names_.size()) - results_ - 1;
    d.defines = ValueRelation::from(
        dropped(part_name_, unsigned(names_.size()), results_ + 1, reduced, part_name_));
    d.reduction->initial = part_name_ + "_init";
    d.reduction->results = int(results_) + 1;
    return d;
  }

  Definition part_initial(const Definition& part) const {
    Definition d = initial_;
    d.name = part.reduction->initial;
    d.array = part.array;
    for (std::size_t n = 0; n < d.others.size(); ++n) d.others[n].name = part.others[n].name;
    d.iterators = result_names();
    d.domain = InstanceSet::from(instances_of_results(part.domain, d.name));
    d.given_ranges = instances_of_results(*part.given_ranges, d.name);
    d.defines = ValueRelation::from(dropped(d.name, results_ + 1, 0, 0, d.array));
    return d;
  }

  // S, with contributions P(r, u); the parts have its predicate.
  Definition combination(const Definition& part) const {
    Definition d = whole_;
    d.predicate = Expr();
    d.iterators = result_names();
    d.domain = InstanceSet::from(instances_of_results(part.domain, d.name));
    d.given_ranges = instances_of_results(*part.given_ranges, d.name);
    d.defines = ValueRelation::from(to_initial().apply_range(initial_.defines));
    std::vector<Expr> indices;
    for (const std::string& name : d.iterators) indices.push_back(variable(name));
    d.value = access(part.array, part.type, indices);
    for (std::size_t n = 0; n < d.others.size(); ++n)
      d.others[n].value = access(part.others[n].name, part.others[n].type, indices);
    return d;
  }

  // { S[r, u] -> S_init[r] }
  isl::map to_initial() const {
    return dropped(whole_.name, results_ + 1, results_, 1, initial_.name);
  }

  void replace_definitions(Algorithm& algorithm, const Definition& part,
                           const Definition& part_initial, const Definition& rest) const {
    algorithm.edit(whole_.name) = rest;
    const std::size_t place = place_of(algorithm, initial_.name);
    algorithm.definitions.insert(place, part);
    algorithm.definitions.insert(place, part_initial);
  }

  // Sequential loops with the names from position "level" on.
  static std::vector<Loop> own_loops(const std::vector<std::string>& names, std::size_t level) {
    return sequential_loops({names.begin() + std::ptrdiff_t(level), names.end()});
  }

  // Places the initial values of P before the nest of S, and S after it.
  void place_in_reference(Mapping& reference, const Definition& part,
                          const Definition& part_initial, const Definition& rest) const {
    const Placed whole = branches_of(reference, whole_.name).front();
    const Placed start = branches_of(reference, initial_.name).front();
    const auto shared = std::size_t(shared_loops(start, whole));
    const isl::map time = to_whole_.apply_range(whole.branch->time);
    node_at(reference, whole.path) = Node{Branch{part.name, TimeMap::from(time), part.domain}};
    const Path place = prefix(whole.path, shared + 1);
    auto& siblings = siblings_at(reference, place);
    const auto at = siblings.begin() + place.back();
    siblings.insert(at + 1, in_loops(own_loops(rest.iterators, shared), identity_branch(rest)));
    siblings.insert(
        siblings.begin() + place.back(),
        in_loops(own_loops(part_initial.iterators, shared), identity_branch(part_initial)));
  }

  // { P[r, u, k] -> [t0, .., t(d-1)] : S[r, k] -> [.., t_p, ..], with u for t_p }
  isl::map part_time() const {
    const isl::map time = placed_.branch->time;
    isl_map* result = to_whole_.apply_range(time).release();
    result = isl_map_project_out(result, isl_dim_out, level_, 1);
    result = isl_map_insert_dims(result, isl_dim_out, level_, 1);
    result = isl_map_equate(result, isl_dim_in, int(results_), isl_dim_out, int(level_));
    result = isl_map_intersect_range(result, time.range().release());
    return explicit_quotients(
        isl::manage(isl_map_remove_redundancies(coalesced(isl::manage(result)).release())));
  }

  // The number of outer loops that are functions of the result.
  std::size_t shared_loops_of_results() const {
    const std::vector<bool> levels = result_levels(whole_, placed_);
    return std::size_t(std::find(levels.begin(), levels.end(), false) - levels.begin());
  }

  void place_in_schedule(Mapping& mapping, const Definition& part, const Definition& rest) const {
    const std::size_t shared = shared_loops_of_results();
    ResultLoops loops = result_loops(whole_, placed_, initial_);
    const isl::map u = dropped(rest.name, results_ + 1, 0, results_, rest.name);
    loops.time = to_initial().apply_range(loops.time);
    loops.time = loops.time.range_product(unnamed_range(u)).flatten_range();
    std::vector<std::string> names = names_of(loops);
    names.push_back(u_);
    while (std::count(names.begin(), names.end(), names.back()) > 1) names.back() += "_";

    const isl::set runs =
        instances_of_part(isl::set(placed_.branch->instances).intersect(whole_.domain));
    const int reader_loops = placed_.branch->reader_loops;
    node_at(mapping, placed_.path) =
        Node{Branch{part.name, TimeMap::from(part_time()), InstanceSet::from(runs), reader_loops}};
    Branch branch{rest.name, TimeMap::from(loops.time),
                  InstanceSet::from(instances_of_results(runs, rest.name)),
                  std::min(reader_loops, int(shared))};
    const Path place = prefix(placed_.path, shared + 1);
    auto& siblings = siblings_at(mapping, place);
    siblings.insert(siblings.begin() + place.back() + 1,
                    in_loops(own_loops(names, shared), std::move(branch)));
    allocate_in(mapping, prefix(place, place.size() - 1), part.array);
  }

  const Program& program_;
  const Definition& whole_;
  const Definition& initial_;
  const Placed placed_;
  const unsigned level_, results_;
  const std::string part_name_, u_;
  std::vector<std::string> names_;  // r, u, k
  isl::map to_whole_;               // { P[r, u, k] -> S[r, k] }
};

}  // namespace

Program with_partial_results(const Program& program, const std::string& reduction, unsigned level,
                             const std::string& part, const std::string& u,
                             const Request& request) {
  require_new_array(program, part, request);
  require_new_name(*program.algorithm, part + "_init", request);
  for (const Component& c : program.algorithm->find(reduction)->others)
    require_new_array(program, part + "_" + c.name, request);
  const Split split(program, reduction, level, part, u);
  Program result = split.program();
  result = completed(result, *result.algorithm, request);
  if (!split.reads_the_same(*result.algorithm->find(part)))
    throw request.refused(Code::E0106_bad_argument,
                          part + " would not read the same values as " + reduction);
  return result;
}

}  // namespace strata
