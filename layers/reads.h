// What each definition reads, derived from its expression.
#pragma once

#include <vector>

#include "core/error.h"
#include "layers/algorithm.h"

namespace strata {

// One access in an expression, under the condition that the selects around it put.
struct AccessUse {
  Expr access;
  isl::set where;       // { S[i] : the access is evaluated }
  bool may = false;     // a condition around it is not affine
};

// All accesses in the value of a definition.
std::vector<AccessUse> accesses(const Definition& definition);

// { S[i] -> X[e] : the access at S[i] names the element X(e) }; throws E0111 where an index is
// not affine, E0109 where the number of indices is wrong.
isl::map element_relation(const Definition& definition, const AccessUse& use, unsigned rank,
                          const Request& request);

// Does a value of the definition access an array, a component or an input of this name?
bool reads_array(const Definition& definition, const std::string& name);

// The type of an array, component or input that the algorithm has.
Type type_of(const Algorithm& algorithm, const std::string& array);
// How many indices an array or input takes.
unsigned rank_of(const Algorithm& algorithm, const std::string& array);

// The reads of one definition:
//  - of an input, the elements themselves;
//  - of an array whose values are each defined once: E . defines^-1;
//  - of an updated array: the definition that wrote the element last before the reader in the
//    reference order (exact array dataflow analysis: Feautrier, Int. J. Parallel Programming 20(1),
//    1991, as isl computes it);
//  - of a result of a reduction, all its contributions and its initial value.
// Throws E0101 for an unknown name, E0113 with an instance for a read that finds no value.
std::vector<Read> derive_reads(const Algorithm& algorithm, const Definition& definition,
                               const Request& request);

}  // namespace strata
