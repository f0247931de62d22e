#include "codegen/time_space.h"

#include <isl/id.h>
#include <isl/map.h>

#include <map>

namespace strata {

namespace {

isl::map named_range(isl::map map, const std::string& name) {
  isl_id* id = isl_id_alloc(map.ctx().get(), name.c_str(), nullptr);
  return isl::manage(isl_map_set_tuple_id(map.release(), isl_dim_out, id));
}

// { B[t] -> S[i] } = (time restricted to the instances)^-1
isl::pw_multi_aff inverse(const isl::map& executed, const Definition& definition,
                          const Request& request) {
  isl::map instance = executed.reverse();
  if (!instance.is_single_valued())
    throw request.refused(Code::E0203_not_injective,
                          "two instances of " + definition.name + " run at one time");
  return instance.coalesce().as_pw_multi_aff().gist(instance.domain().coalesce());
}

TimeBranch time_branch(const Placed& placed, const Definition& definition,
                       const std::string& tuple, const isl::set& context,
                       const Request& request) {
  const Branch& branch = *placed.branch;
  const isl::set domain =
      isl::set(branch.instances).intersect(definition.domain).intersect_params(context);
  const isl::map time = named_range(branch.time, tuple);
  const isl::map executed = time.intersect_domain(domain).coalesce();
  return {&definition,
          placed.loops,
          executed.domain().coalesce(),
          executed.range().coalesce(),
          time.range(),
          inverse(executed, definition, request)};
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
    result.branches.push_back(
        time_branch(placed, *definition, tuple, result.context, request));
  }
  return result;
}

}  // namespace strata
