// The nests as an isl schedule tree: a loop is a band of one member, siblings are a sequence.
//
// The shape of the forest is the shape of the tree, so isl cannot merge loops with different static
// prefixes, nor move one statement into another's loop, and the static dimensions cost it nothing.
#pragma once

#include "codegen/nest.h"

namespace strata {

isl::schedule schedule_tree(const std::vector<Nest>& nests);

}  // namespace strata
