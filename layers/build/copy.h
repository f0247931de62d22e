// Copies of values, as computations like any other.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// "e" with accesses of another array, at the same indices.
Expr with_renamed(const Expr& e, const std::string& array, const std::string& name);

// A copy of an array or input for one reader:
//
//     name(e) = array(e) for the e that "reader" reads;  reader reads name(e) instead of array(e)
//
// Its instances are inferred from the reader, it is defined and scheduled just before the outermost
// loop around the reader, and "iterators" names its loops.
// E0101 no such reader or array, or the reader does not read it; E0104, E0105 a name; E0109 the
// number of iterators; E0106 an array that updates redefine, or that the reader itself makes; E0206
// the copy would have to be made inside a loop that the reader shares with what it reads.
Program with_copy(const Program& program, const std::string& array, const std::string& reader,
                  const std::string& name, const std::vector<std::string>& iterators,
                  const Request& request);

}  // namespace strata
