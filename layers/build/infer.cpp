#include "layers/build/infer.h"

#include "core/sets/coalesce.h"
#include "core/sets/quotients.h"
#include "layers/flow/reads.h"

namespace strata {

namespace {

// { X[e] : somebody reads X(e) }
isl::set needed_values(const Algorithm& algorithm, const Definition& producer,
                       const Request& request) {
  const unsigned rank = isl::map(producer.defines).range_tuple_dim();
  isl::set needed = isl::set::empty(isl::map(producer.defines).range().space());
  for (const Definition& reader : algorithm.definitions) {
    if (reader.name == producer.name || reader.array == producer.array) continue;
    for (const AccessUse& use : accesses(reader))
      if (algorithm.array_of(use.access.name()) == producer.array)
        needed = needed.unite(named_elements(reader, use, rank, request)
                                  .relation.set_range_tuple(producer.array)
                                  .range());
  }
  return coalesced(needed.intersect_params(algorithm.context));
}

}  // namespace

void set_instances(Mapping& forest, const Definition& d) {
  for (Node& root : forest.roots)
    for_each_branch(root, [&](Branch& branch) {
      if (branch.definition == d.name) branch.instances = d.domain;
    });
}

void infer_domains(Algorithm& algorithm, Mapping& mapping, const Request& request) {
  for (auto d = algorithm.definitions.rbegin(); d != algorithm.definitions.rend(); ++d) {
    if (!d->inferred) continue;
    // The values a result or instance defines do not involve the ranges of the other iterators.
    isl::set instances =
        needed_values(algorithm, *d, request).apply(isl::map(d->defines).reverse());
    d->domain = InstanceSet::from(explicit_quotients(instances.intersect(*d->given_ranges)));
    set_instances(algorithm.reference, *d);
    set_instances(mapping, *d);
  }
}

}  // namespace strata
