// Which places instances touch.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

struct Touched {
  isl::set places;                   // { b[..] }
  std::set<std::string> arrays;      // whose values are stored there
  bool initial_values_read = false;  // some input is stored there and is read
  bool written = false;
};

// By buffer.
using AllTouched = std::map<std::string, Touched>;

// { b[..] }: the places of all values of the arrays touched there, a superset of the touched
// places.
isl::set existing_places(const Touched& touched, const Program& program, const Request& request);

// Adds what "instances" of the definition write and read,
//     { b[..] } = instances . (defines . store  u  reads . defines . store),
// of all buffers or of some. E0502 where an array has no place.
void add_touched(AllTouched& all, const Program& program, const Definition& definition,
                 const isl::set& instances, const Request& request,
                 const std::optional<std::set<std::string>>& buffers = std::nullopt);

// By buffer, { b[..] }: what "instances" of the definition certainly read of the array, at affine
// indices and under affine conditions,
//     instances . reads . defines . store.
// E0502 as above.
AllTouched places_read(const Program& program, const Definition& definition,
                       const std::string& array, const isl::set& instances, const Request& request);

}  // namespace strata
