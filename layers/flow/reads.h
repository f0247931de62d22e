// What each definition reads, derived from its expression.
#pragma once

#include <vector>

#include "core/error.h"
#include "layers/algorithm.h"

namespace strata {

// One access in an expression, or array that a call takes, under the condition that the selects
// around it put.
struct AccessUse {
  Expr access;
  isl::set where;       // { S[i] : the access is evaluated }
  bool may = false;     // a condition around it is not affine
};

// All accesses in the expressions of a definition.
std::vector<AccessUse> accesses(const Definition& definition);

// Which elements an access names.
struct Elements {
  isl::map relation;          // { S[i] -> X[e] : the access at S[i] may name X(e) }
  bool may = false;           // an index is not affine: it names one of them
  std::vector<bool> checked;  // by dimension: is the index to be checked when the kernel runs?
};

// As far as the indices alone tell (an array that a call takes: any); nothing is checked.  E0109
// where their number is wrong.
Elements named_elements(const Definition& definition, const AccessUse& use, unsigned rank,
                        const Request& request);
// Cut to what the array has: where an index that is not affine may lie outside the box
//     { X[e] : least(d) <= e_d <= greatest(d) for each dimension d }
// of the elements that exist, it is checked when the kernel runs, and lies inside from there on.
Elements elements_of(const Algorithm& algorithm, const Definition& definition,
                     const AccessUse& use, const Request& request);
// { X[e] : X(e) exists }, of an array or an input.
isl::set all_elements(const Algorithm& algorithm, const std::string& array);

// Does an instance sometimes leave an element as it was that it is said to define?
bool may_keep(const Definition& definition);
// Does an expression of the definition access an array, a component or an input of this name?
bool reads_array(const Definition& definition, const std::string& name);
// Does a call in it take the array?
bool takes_array(const Definition& definition, const std::string& name);

// { S[i] -> P[j] : instance S[i] needs the value of P[j] }, of all producers.
isl::union_map all_reads(const Definition& definition);

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
//  - of a result of a reduction, all its contributions and its initial value;
//  - of an instance that may leave an element as it is (it has a predicate, or is a scatter), the
//    value that this element had: afterwards it has defined the element anew in any case.
// Throws E0101 for an unknown name, E0113 with an instance for a read that finds no value.
std::vector<Read> derive_reads(const Algorithm& algorithm, const Definition& definition,
                               const Request& request);

}  // namespace strata
