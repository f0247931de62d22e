// Copies of what an update reads of its own array.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// In each step t of the outer loops of U, an update of X, a copy of what U reads of X in the step,
// besides the elements that it redefines:
//
//     name(t, e) = X(e);   U[t, ..] reads name(t, e) instead of X(e)
//
// It is defined just before U in these loops of Theta0, and scheduled in a nest of its own before
// that of U. The iterators are those of the loops, one or more, and one for each index of X; its
// instances are inferred from U.
// E0104, E0105 a name; E0109 the number of iterators; E0106 U reads no other element, or a value
// that U or another computation of the step defines later than the copy.
Program with_step_copy(const Program& program, const std::string& reader, const std::string& name,
                       const std::vector<std::string>& iterators, const Request& request);

}  // namespace strata
