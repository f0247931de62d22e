#include "schedule/legality/stores.h"

namespace strata {

namespace {

void add_writers(Stores& stores, const Scheduled& s, const std::string& array,
                 const isl::map& store) {
  for (const Definition* d : s.algorithm().definitions_of(array)) {
    isl::map place = isl::map(d->defines.intersect_domain(d->domain)).apply_range(store);
    stores.writers.push_back({d, place.intersect_params(s.algorithm().context)});
  }
}

isl::map place_in(const Stores& stores, const std::string& producer) {
  for (const Writer& w : stores.writers)
    if (w.definition->name == producer) return w.place;
  if (!stores.input_place.is_null() && stores.input_place.domain_tuple_id().name() == producer)
    return stores.input_place;
  return {};
}

void add_use(Stores& stores, const Definition& reader, const std::string& producer,
             const isl::map& relation) {
  isl::map place = place_in(stores, producer);
  if (!place.is_null()) stores.uses.push_back({producer, &reader, relation, place});
}

}  // namespace

Stores stores_of(const Scheduled& s, const std::string& buffer) {
  Stores stores{buffer, {}, {}, {}};
  for (const auto& [array, access] : s.program().layout.store) {
    isl::map store = access;
    if (store.range_tuple_id().name() != buffer) continue;
    if (const InputArray* input = s.algorithm().find_input(array))
      stores.input_place = store.intersect_domain(input->domain);
    else
      add_writers(stores, s, array, store);
  }
  for (const Definition& reader : s.algorithm().definitions) {
    for (const Read& read : reader.reads) {
      const Definition* producer = s.algorithm().find(read.producer);
      if (!producer || !producer->reduction) add_use(stores, reader, read.producer, read.relation);
    }
    if (reader.reduction)
      add_use(stores, reader, reader.reduction->initial,
              result_of(reader).intersect_domain(reader.domain));
  }
  return stores;
}

isl::map other_value(const isl::space& source, const std::string& source_name,
                     const Definition& writer) {
  isl::map all = isl::map::universe(source.product(isl::set(writer.domain).space()).unwrap());
  if (writer.name == source_name)
    return all.subtract(isl::map(writer.domain.identity()));
  if (writer.reduction && writer.reduction->initial == source_name)
    return all.subtract(result_of(writer).intersect_domain(writer.domain).reverse());
  return all;
}

bool places_shared(const Stores& stores) {
  isl::union_map all = stores.input_place.is_null() ? isl::union_map()
                                                    : stores.input_place.to_union_map();
  for (const Writer& w : stores.writers) {
    if (w.definition->reduction) continue;
    all = all.is_null() ? w.place.to_union_map() : all.unite(w.place.to_union_map());
  }
  return !all.is_null() && !all.is_injective();
}

}  // namespace strata
