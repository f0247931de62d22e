#include "schedule/edit/needed.h"

#include <isl/map.h>

#include "core/sets/coalesce.h"

namespace strata {

isl::map reads_of(const Definition& reader, const Definition& producer) {
  const auto pairs = isl::manage(isl_map_from_domain_and_range(
      isl::set(reader.domain).release(), isl::set(producer.domain).release()));
  isl::map all = isl::map::empty(pairs.space());
  for (const Read& read : reader.reads) {
    if (read.producer == producer.name) all = all.unite(read.relation);
    if (producer.reduction && read.producer == producer.reduction->initial)
      all = all.unite(isl::map(read.relation).apply_range(result_of(producer).reverse()));
  }
  return all;
}

isl::map with_own_reads(const isl::map& needed, const Definition& producer) {
  const isl::map own = reads_of(producer, producer);
  if (own.is_empty()) return coalesced(needed);
  const auto closure = isl::manage(isl_map_transitive_closure(own.copy(), nullptr));
  return coalesced(needed.unite(needed.apply_range(closure).intersect_range(producer.domain)));
}

}  // namespace strata
