// Which part of each buffer a program touches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/nests/time_space.h"
#include "codegen/tree/loop_tree.h"
#include "layers/program.h"

namespace strata {

// Functions of the parameters; nothing is touched where some upper <= lower.
struct Box {
  std::vector<Expr> lowers, uppers;
  bool initial_values_read = false;  // some input is stored there and is read
  bool written = false;
};

// For each buffer of the layout: the exact bounds, dimension by dimension, of
//     union of  { b[..] : an instance that runs writes it }  and  { b[..] : .. reads it }.
// Where conditions on remainders put exact bounds out of reach: the bounds of what exists and would
// be touched without these conditions. For a temporary, constants where bounds hold for all
// parameters. E0112 where the parameters do not bound it.
std::map<std::string, Box> boxes(const Program& program, const TimeSpace& space,
                                 const Request& request);

}  // namespace strata
