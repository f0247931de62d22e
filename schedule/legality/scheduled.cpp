#include "schedule/legality/scheduled.h"

#include "layers/initial_values.h"

namespace strata {

Scheduled::Scheduled(const Program& program)
    : program_(program), mapping_(complete_mapping(program)) {
  for (const Placed& placed : branches(mapping_))
    placed_[placed.branch->definition].push_back(placed);
}

const std::vector<Placed>& Scheduled::of(const std::string& definition) const {
  static const std::vector<Placed> none;
  auto found = placed_.find(definition);
  return found == placed_.end() ? none : found->second;
}

isl::union_map Scheduled::theta() const { return strata::theta(mapping_); }

std::vector<Edge> edges(const Algorithm& algorithm) {
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
  return all;
}

}  // namespace strata
