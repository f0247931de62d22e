// Relations as text printed by isl.
#pragma once

#include <sstream>
#include <string>

#include "core/sets/relation.h"

namespace strata {

// For any set or relation, typed or not.
template <typename Relation>
std::string isl_text(const Relation& relation) {
  std::ostringstream text;
  text << relation;
  return text.str();
}

// Text that is unchanged when it is parsed and printed again.  isl may write a constraint as "0 <=
// k" or "k >= 0", depending on how the relation was made; a parsed relation depends on its text
// alone. So the text is parsed and printed until one repeats; if isl cycles between several texts,
// the least of them is taken.
std::string canonical_text(const isl::set& set);
std::string canonical_text(const isl::map& map);
std::string canonical_text(const isl::union_map& map);

}  // namespace strata
