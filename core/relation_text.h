// Relations as isl prints them.
#pragma once

#include <sstream>
#include <string>

#include "core/relation.h"

namespace strata {

// Of any set or relation, typed or not.
template <typename Relation>
std::string isl_text(const Relation& relation) {
  std::ostringstream text;
  text << relation;
  return text.str();
}

}  // namespace strata
