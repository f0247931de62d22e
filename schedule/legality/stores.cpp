#include "schedule/legality/stores.h"

#include <isl/map.h>

#include <algorithm>

namespace strata {

namespace {

void add_writers(Stores& stores, const Scheduled& s, const std::string& array,
                 const isl::map& store) {
  for (const Definition* d : s.algorithm().definitions_of(array)) {
    isl::map place = isl::map(d->defines.intersect_domain(d->domain)).apply_range(store);
    stores.writers.push_back({d, place.intersect_params(s.algorithm().context)});
  }
}

std::optional<isl::map> place_in(const Stores& stores, const std::string& producer) {
  for (const Writer& w : stores.writers)
    if (w.definition->name == producer) return w.place;
  if (stores.input_place && stores.input_place->domain_tuple_id().name() == producer)
    return stores.input_place;
  return std::nullopt;
}

void add_use(Stores& stores, const Definition& reader, const std::string& producer,
             const isl::map& relation) {
  if (auto place = place_in(stores, producer))
    stores.uses.push_back({producer, &reader, relation.coalesce(), *place});
}

}  // namespace

Stores stores_of(const Scheduled& s, const std::string& buffer) {
  Stores stores{buffer, {}, {}, {}};
  const LayoutBuffer& known = *s.program().layout.find(buffer);
  if (!known.extents.empty())
    stores.box = box_of(s.program().session->isl(), buffer, known.extents);
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

isl::map other_value(const isl::set& source, const std::string& source_name,
                     const Definition& writer) {
  const isl::map all = all_pairs(source, writer.domain);
  if (writer.name == source_name)
    return all.subtract(isl::map(writer.domain.identity()));
  if (writer.reduction && writer.reduction->initial == source_name)
    return all.subtract(result_of(writer).intersect_domain(writer.domain).reverse());
  return all;
}

isl::map all_pairs(const isl::set& a, const isl::set& b) {
  return isl::manage(isl_map_from_domain_and_range(a.copy(), b.copy()));
}

bool written_again(const Scheduled& s, const Stores& stores) {
  return std::any_of(stores.writers.begin(), stores.writers.end(), [&](const Writer& w) {
    return !runs_once(s.of(w.definition->name));
  });
}

bool places_shared(const Stores& stores) {
  std::optional<isl::union_map> all;
  auto add = [&](const isl::map& place) {
    all = all ? all->unite(place.to_union_map()) : place.to_union_map();
  };
  if (stores.input_place) add(*stores.input_place);
  for (const Writer& w : stores.writers)
    if (!w.definition->reduction) add(w.place);
  return all && !all->is_injective();
}

}  // namespace strata
