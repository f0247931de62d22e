// Relations as isl prints them.
#pragma once

#include <sstream>
#include <string>

#include "core/sets/relation.h"

namespace strata {

// Of any set or relation, typed or not.
template <typename Relation>
std::string isl_text(const Relation& relation) {
  std::ostringstream text;
  text << relation;
  return text.str();
}

// The text that comes back from its own reading: isl writes the same constraint as "0 <= k" or
// "k >= 0", depending on how a relation was made, and a relation that was read is made by its text
// alone.  So the text is written again as it is read, until it has been there before; should isl go
// round between several, it is the least of them.
std::string canonical_text(const isl::set& set);
std::string canonical_text(const isl::map& map);
std::string canonical_text(const isl::union_map& map);

}  // namespace strata
