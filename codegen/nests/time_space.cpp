#include "codegen/nests/time_space.h"

#include <isl/map.h>
#include <isl/set.h>

#include <map>

#include "core/sets/coalesce.h"
#include "core/sets/meter.h"
#include "core/sets/quotients.h"
#include "layers/verify/verify_products.h"

namespace strata {

namespace {

isl::map named_range(isl::map map, const std::string& name) {
  return isl::manage(isl_map_set_tuple_name(map.release(), isl_dim_out, name.c_str()));
}

// The same set without existentially quantified variables, if they are redundant: the image of i ->
// [floor(i/8), i - 8*floor(i/8)] is just { [i0, i1] : 0 <= i1 < 8 }.
isl::set without_locals(const isl::set& set) {
  if (!set.involves_locals()) return set;
  const isl::set simple = without_existentials(set);
  return simple.is_equal(set) ? simple : set;
}

// The strides of a domain: { S[i] : i % 2 = 0 } for { S[i] : i % 2 = 0 and 0 <= i < N }.
isl::set lattice(const isl::set& domain) {
  const isl::set hull = isl::set(domain.affine_hull());
  return hull.involves_locals() ? hull : domain.space().universe_set();
}

// { B[t0, .., t(d-1)] -> B[t : t not a level of parametric tiles] }
isl::multi_aff known_levels(const isl::space& times, const std::vector<const Loop*>& loops) {
  const isl::multi_aff all = times.identity_multi_aff_on_domain();
  std::vector<isl::aff> known;
  for (std::size_t level = 0; level < loops.size(); ++level)
    if (!loops[level]->tile_size) known.push_back(all.at(int(level)));
  isl::multi_aff result = times.add_unnamed_tuple(unsigned(known.size())).zero_multi_aff();
  for (std::size_t n = 0; n < known.size(); ++n) result = result.set_at(int(n), known[n]);
  return result;
}

// A single-valued relation as a function on its own domain.
isl::pw_multi_aff function(const isl::map& relation) {
  const isl::map all = coalesced(relation);
  return costlier(function_of_relation, [&] { return all.as_pw_multi_aff(); })
      .gist(coalesced(relation.domain()));
}

// E0203 if two instances run at one time. In most cases the inverse of the time map alone
// determines the instance, i = 8 i0 + i1, and then { t : S[i(t)] in domain } has no local
// variables.
TimeBranch time_branch(const Placed& placed, const Definition& definition, const std::string& tuple,
                       const isl::set& context, const Request& request) {
  const Branch& branch = *placed.branch;
  const isl::set domain = isl::set(branch.instances).intersect(definition.domain);
  const isl::set running = domain.intersect_params(context);
  const isl::map time = named_range(branch.time, tuple);
  const isl::map known =
      isl::manage(isl_map_reset_tuple_id(known_time(time, placed.loops).release(), isl_dim_out));
  const isl::multi_aff levels = known_levels(time.range().space(), placed.loops);
  const isl::map executed = time.intersect_domain(running);
  const isl::map inverse_times = known.intersect_domain(running).reverse();
  const isl::set instances = coalesced(running.intersect(time.domain()));
  const isl::set possible = without_locals(time.intersect_domain(lattice(domain)).range());
  if (known.reverse().is_single_valued()) {
    const isl::pw_multi_aff inverse = function(known.reverse()).pullback(levels);
    // The preimage under a function without pieces has the wrong space in isl.
    const isl::set times =
        known.is_empty() ? possible : running.preimage(inverse).intersect(possible);
    return {&definition, placed.loops, instances,          coalesced(times),
            possible,    inverse,      branch.reader_loops};
  }
  if (!inverse_times.is_single_valued())
    throw request.refused(Code::E0203_not_injective,
                          "two instances of " + definition.name + " run at the same time");
  return {&definition,        placed.loops,
          instances,          without_locals(coalesced(executed.range())),
          possible,           function(inverse_times).pullback(levels),
          branch.reader_loops};
}

}  // namespace

TimeSpace time_space(const Algorithm& algorithm, const Mapping& mapping, const Request& request) {
  TimeSpace result{isl::set(algorithm.context), {}};
  std::map<std::string, int> used;
  for (const Placed& placed : branches(mapping)) {
    const std::string& name = placed.branch->definition;
    const Definition* definition = algorithm.find(name);
    if (!definition)
      throw request.refused(Code::E0502_code_generation_failed,
                            "the schedule places " + name + ", which is not defined");
    const int number = used[name]++;
    const std::string tuple = number ? name + "#" + std::to_string(number) : name;
    TimeBranch branch = time_branch(placed, *definition, tuple, result.context, request);
    branch.asynchronous = placed.branch->asynchronous;
    if (placed.branch->mma) branch.mma = {*placed.branch->mma, has_rows_first(algorithm, placed)};
    if (!branch.times.is_empty()) branch.choices = choices_of(branch);
    result.branches.push_back(std::move(branch));
  }
  return result;
}

}  // namespace strata
