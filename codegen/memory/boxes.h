// Which part of each buffer a program touches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "codegen/nests/time_space.h"
#include "codegen/tree/loop_tree.h"
#include "layers/program.h"

namespace strata {

// The places lower <= index < upper, as functions of the parameters: none if some upper <= lower.
struct Box {
  std::vector<Expr> lowers, uppers;
  bool initial_values_read = false;  // some input is stored there and is read
  bool written = false;
  // Of an input in constant memory: at most so many elements, for any parameters, if that is known.
  std::optional<std::int64_t> most_elements = {};
};

// For each buffer that some branch mentions: the exact bounds, dimension by dimension, of
//     union of  { b[..] : an instance that runs writes it }  and  { b[..] : .. reads it }.
// If conditions on remainders make exact bounds too expensive: the bounds of the existing elements
// that would be touched without these conditions. For a temporary, constant bounds where
// that pays (constant_extents.h). E0112 if the parameters do not bound the box.
std::map<std::string, Box> boxes(const Program& program, const TimeSpace& space,
                                 const Request& request);

}  // namespace strata
