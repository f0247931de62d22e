#include "codegen/memory/touched.h"

#include <isl/set.h>

#include <algorithm>

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

// Is a scalar of the array stored in one of these buffers?
bool is_in(const std::set<std::string>& buffers, const Program& program, const std::string& array) {
  const auto& others = program.algorithm->components_of(array);
  return buffers.count(buffer_of(program.layout, array)) > 0 ||
         std::any_of(others.begin(), others.end(),
                     [&](const Component& c) { return buffers.count(c.name) > 0; });
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
                 const isl::set& instances, const Request& request,
                 const std::optional<std::set<std::string>>& buffers) {
  const auto add = [&](const std::string& array, const Touch& how, const auto& values) {
    if (!buffers || is_in(*buffers, program, array))
      touch(all, program, values(), array, how, request);
  };
  add(definition.array, {true, false}, [&] { return instances.apply(definition.defines); });
  for (const Read& read : definition.reads) {
    const auto values = [&] { return instances.apply(read.relation); };
    if (const Definition* producer = program.algorithm->find(read.producer))
      add(producer->array, {false, false}, [&] { return values().apply(producer->defines); });
    else
      add(read.producer, {false, true}, values);
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
