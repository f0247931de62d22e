// The boxes of a kernel on ranks, as functions of its C header.
#pragma once

#include <string>

#include "codegen/tree/loop_tree.h"

namespace strata {

// NAME_box and NAME_owned: which elements of an argument a rank touches, and which it computes, as
// functions of the parameters, the cuts and the rank.
std::string c_boxes(const Kernel& kernel);

}  // namespace strata
