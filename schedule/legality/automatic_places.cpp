#include "schedule/legality/automatic_places.h"

#include "layers/flow/reads.h"

namespace strata {

void add_own_buffer(Layout& layout, const Algorithm& algorithm, const std::string& array) {
  const Definition& first = *algorithm.definitions_of(array).front();
  const int rank = int(rank_of(algorithm, array));
  layout.buffers.push_back({array, first.type, rank, BufferRole::temporary});
  const auto space = isl::map(first.defines).range().space();
  layout.store.emplace(array, AccessRelation::from(space.identity_multi_aff_on_domain().as_map()));
}

bool is_update(const Definition& d) { return d.name != d.array && !d.is_initial; }

}  // namespace strata
