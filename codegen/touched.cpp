#include "codegen/touched.h"

#include "codegen/isl_expr.h"
#include "codegen/layout_of.h"

namespace strata {

namespace {

// The buffer of the array, its places with those of "values" among them.
Touched& touch(AllTouched& all, const Program& program, const isl::set& values,
               const std::string& array, const Request& request) {
  const isl::set places = values.apply(store_of(program.layout, array, request));
  Touched& buffer = all[tuple_name(places)];
  buffer.places = buffer.places.is_null() ? places : buffer.places.unite(places);
  return buffer;
}

}  // namespace

void add_touched(AllTouched& all, const Program& program, const Definition& definition,
                 const isl::set& instances, const Request& request) {
  const isl::set written = instances.apply(definition.defines);
  touch(all, program, written, definition.array, request).written = true;
  for (const Read& read : definition.reads) {
    const isl::set values = instances.apply(read.relation);
    if (const Definition* producer = program.algorithm->find(read.producer))
      touch(all, program, values.apply(producer->defines), producer->array, request);
    else
      touch(all, program, values, read.producer, request).initial_values_read = true;
  }
}

}  // namespace strata
