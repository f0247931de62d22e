// Which part of each buffer a program touches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/nests/time_space.h"
#include "codegen/tree/loop_tree.h"
#include "layers/program.h"

namespace strata {

// All over parameters; nothing is touched where some upper <= lower.
struct Box {
  std::vector<Expr> lowers, uppers;
  bool initial_values_read = false;  // some input lives there and is read
  bool written = false;
};

// For each buffer of the layout: the exact bounds, dimension by dimension, of
//     union of  { b[..] : an instance that runs writes it }  and  { b[..] : .. reads it }.
// Where conditions on remainders put exact bounds out of reach, they are of what is touched without
// these conditions, and exists.
// Those of a temporary are constants where the parameters do not move them beyond some.
// E0112 where the parameters do not bound it.
std::map<std::string, Box> boxes(const Program& program, const TimeSpace& space,
                                 const Request& request);

}  // namespace strata
