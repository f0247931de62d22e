// Which places instances touch.
#pragma once

#include <map>
#include <set>
#include <string>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

struct Touched {
  isl::set places;                   // { b[..] }
  std::set<std::string> arrays;      // whose values these are places of
  bool initial_values_read = false;  // some input lives there and is read
  bool written = false;
};

// Of each buffer.
using AllTouched = std::map<std::string, Touched>;

// { b[..] }: the places of all values of the arrays touched there.  What is touched lies inside.
isl::set existing_places(const Touched& touched, const Program& program, const Request& request);

// Adds what "instances" of the definition write and read,
//     { b[..] } = instances . (defines . store  u  reads . defines . store).
// E0502 where an array has no place.
void add_touched(AllTouched& all, const Program& program, const Definition& definition,
                 const isl::set& instances, const Request& request);

// { b[..] }, of each buffer: what "instances" of the definition read of the array for sure, at
// indices and under conditions that are affine,
//     instances . reads . defines . store.
// E0502 as above.
AllTouched places_read(const Program& program, const Definition& definition,
                       const std::string& array, const isl::set& instances, const Request& request);

}  // namespace strata
