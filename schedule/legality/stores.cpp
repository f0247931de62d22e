#include "schedule/legality/stores.h"

#include <isl/map.h>

#include <algorithm>

#include "core/sets/coalesce.h"
#include "layers/flow/reads.h"

namespace strata {

namespace {

void add_writers(Stores& stores, const ProgramView& s, const std::string& array,
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

// { A -> B }: all pairs of elements of two sets.
isl::map all_pairs(const isl::set& a, const isl::set& b) {
  return isl::manage(isl_map_from_domain_and_range(a.copy(), b.copy()));
}

// { C[x] -> X[e] : C[x] may name X(e), or keep it as it was }. An access that is not affine counts
// as naming every element; clamps and remainders in it are ignored.
isl::map elements_used(const ProgramView& s, const Definition& reader, const std::string& array) {
  const isl::set all = all_elements(s.algorithm(), array);
  isl::map used = isl::map::empty(all_pairs(reader.domain, all).space());
  for (const AccessUse& use : accesses(reader)) {
    if (s.algorithm().array_of(use.access.name()) != array) continue;
    const Elements named = elements_of(s.algorithm(), reader, use, {"", {}});
    used = used.unite(named.may ? all_pairs(use.where, all) : named.relation);
  }
  if (may_keep(reader) && reader.array == array)
    used = used.unite(isl::map(reader.defines).intersect_domain(reader.domain));
  return used;
}

// { C[x] -> X[e] : C[x] may find a scatter's value in X(e) }: the elements used, except those in
// R_C . defines_Q for a Q that is not a scatter, since an element has one value at x.
isl::map elements_left(const ProgramView& s, const Definition& reader, const std::string& array) {
  isl::map left = elements_used(s, reader, array);
  for (const Read& read : reader.reads) {
    const Definition* other = s.algorithm().find(read.producer);
    if (other && other->array == array && other->element.empty())
      left = left.subtract(isl::map(read.relation).apply_range(other->defines));
  }
  return left;
}

void add_use(Stores& stores, const ProgramView& s, const Definition& reader,
             const std::string& producer, const isl::map& relation) {
  const auto place = place_in(stores, producer);
  if (!place) return;
  Use use{producer, &reader, coalesced(relation), *place, relation.apply_range(*place)};
  const Definition* scatter = s.algorithm().find(producer);
  if (scatter && !scatter->element.empty())
    use.read_place = use.read_place.intersect(
        elements_left(s, reader, scatter->array).apply_range(s.place(scatter->array)));
  stores.uses.push_back(std::move(use));
}

Stores derive_stores(const ProgramView& s, const std::string& buffer) {
  Stores stores{buffer, {}, {}, {}};
  stores.box = s.box(buffer);
  for (const std::string& array : s.arrays_in(buffer)) {
    if (const InputArray* input = s.algorithm().find_input(array))
      stores.input_place = s.place(array).intersect_domain(input->domain);
    else
      add_writers(stores, s, array, s.place(array));
  }
  for (const Definition& reader : s.algorithm().definitions) {
    for (const Read& read : reader.reads) {
      const Definition* producer = s.algorithm().find(read.producer);
      if (!producer || !producer->reduction)
        add_use(stores, s, reader, read.producer, read.relation);
    }
    if (reader.reduction)
      add_use(stores, s, reader, reader.reduction->initial,
              result_of(reader).intersect_domain(reader.domain));
  }
  return stores;
}

bool derive_places_shared(const ProgramView& s, const std::string& buffer) {
  const Stores& stores = stores_of(s, buffer);
  std::optional<isl::union_map> all;
  auto add = [&](const isl::map& place) {
    all = all ? all->unite(place.to_union_map()) : place.to_union_map();
  };
  if (stores.input_place) add(*stores.input_place);
  for (const Writer& w : stores.writers)
    if (!w.definition->reduction) add(w.place);
  return all && !all->is_injective();
}

}  // namespace

const Stores& stores_of(const ProgramView& s, const std::string& buffer) {
  return s.derived("stores", derive_stores, buffer);
}

isl::map with_other_value(const isl::map& pairs, const std::string& source,
                          const Definition& writer) {
  if (writer.name == source)
    return pairs.subtract(isl::manage(isl_map_identity(isl_map_get_space(pairs.get()))));
  if (writer.reduction && writer.reduction->initial == source)
    return pairs.subtract(result_of(writer).reverse());
  return pairs;
}

bool places_shared(const ProgramView& s, const std::string& buffer) {
  return s.derived("places shared", derive_places_shared, buffer);
}

bool written_again(const ProgramView& s, const std::string& buffer) {
  const Stores& stores = stores_of(s, buffer);
  return std::any_of(stores.writers.begin(), stores.writers.end(),
                     [&](const Writer& w) { return !s.runs_once(w.definition->name); });
}

}  // namespace strata
