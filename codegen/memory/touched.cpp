#include "codegen/memory/touched.h"

#include <isl/set.h>

#include "codegen/loops/isl_expr.h"
#include "codegen/memory/layout_of.h"
#include "layers/flow/reads.h"

namespace strata {

namespace {

struct Touch {
  bool writes, reads_initial_values;
};

// The same places in another buffer.
isl::set in_buffer(const std::string& name, const isl::set& places) {
  return isl::manage(isl_set_set_tuple_name(places.copy(), name.c_str()));
}

// Adds places in the buffers of all scalars of the array.
void touch(AllTouched& all, const Program& program, const isl::set& values,
           const std::string& array, const Touch& how, const Request& request) {
  const isl::set places = values.apply(store_of(program.layout, array, request));
  std::vector<std::string> names{tuple_name(places)};
  for (const Component& c : program.algorithm->components_of(array)) names.push_back(c.name);
  for (const std::string& name : names) {
    const isl::set there = in_buffer(name, places);
    Touched& buffer = all[name];
    buffer.arrays.insert(array);
    buffer.places = buffer.places.is_null() ? there : buffer.places.unite(there);
    buffer.written |= how.writes;
    buffer.initial_values_read |= how.reads_initial_values;
  }
}

}  // namespace

isl::set existing_places(const Touched& touched, const Program& program, const Request& request) {
  isl::set all = isl::set::empty(touched.places.space());
  for (const std::string& array : touched.arrays) {
    const isl::set places =
        all_elements(*program.algorithm, array).apply(store_of(program.layout, array, request));
    all = all.unite(in_buffer(tuple_name(touched.places), places));
  }
  return all;
}

void add_touched(AllTouched& all, const Program& program, const Definition& definition,
                 const isl::set& instances, const Request& request) {
  const isl::set written = instances.apply(definition.defines);
  touch(all, program, written, definition.array, {true, false}, request);
  for (const Read& read : definition.reads) {
    const isl::set values = instances.apply(read.relation);
    if (const Definition* producer = program.algorithm->find(read.producer))
      touch(all, program, values.apply(producer->defines), producer->array, {false, false},
            request);
    else
      touch(all, program, values, read.producer, {false, true}, request);
  }
}

AllTouched places_read(const Program& program, const Definition& definition,
                       const std::string& array, const isl::set& instances,
                       const Request& request) {
  AllTouched all;
  for (const Read& read : definition.reads) {
    if (read.may || program.algorithm->array_read(read) != array) continue;
    const Definition* producer = program.algorithm->find(read.producer);
    isl::set values = instances.apply(read.relation);
    if (producer) values = values.apply(producer->defines);
    touch(all, program, values, array, {false, !producer}, request);
  }
  return all;
}

}  // namespace strata
