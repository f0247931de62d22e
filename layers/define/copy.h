// Copies of values, as ordinary computations.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// "e" with accesses of "array" replaced by accesses of "name", at the same indices.
Expr with_renamed(const Expr& e, const std::string& array, const std::string& name);

// A copy of an array or input for one reader:
//
//     name(e) = array(e) for the e that "reader" reads;  reader reads name(e) instead of array(e)
//
// With CopyOf::all_of_input, the copy of an input has an instance for each element that exists, of
// which those needed run; so what an iteration copies can be made convex. So has one that is read
// at an index that is checked when the kernel runs: it is checked against the same box. Else its
// instances are inferred from the reader; it is defined and scheduled just before the outermost
// loop around the reader; "iterators" names its loops.
// An update reads its own array through a copy in each step (layers/define/step_copy.h).
// E0101 no such reader or array, or the reader does not read it; E0104, E0105 a name; E0109 the
// number of iterators; E0106 the array is updated, or is the reader's own, or those of
// with_step_copy; E0206 the copy would have to be made inside a loop that the reader shares with
// what it reads.
enum class CopyOf { what_is_read, all_of_input };
Program with_copy(const Program& program, const std::string& array, const std::string& reader,
                  const std::string& name, const std::vector<std::string>& iterators,
                  const Request& request, CopyOf part = CopyOf::what_is_read);

}  // namespace strata
