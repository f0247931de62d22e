// The reads of each definition, derived from its expressions.
#pragma once

#include <vector>

#include "core/error.h"
#include "layers/algorithm.h"

namespace strata {

// An access in an expression, or an array argument of a call, with the condition from the selects
// around it.
struct AccessUse {
  Expr access;
  isl::set where;    // { S[i] : the access is evaluated }
  bool may = false;  // a condition around it is not affine
};

// True for an access, and for an array argument of a call.
bool names_array(const Expr& e);

// All accesses in the expressions of a definition.
std::vector<AccessUse> accesses(const Definition& definition);

// The elements that an access names.
struct Elements {
  isl::map relation;          // { S[i] -> X[e] : the access at S[i] may name X(e) }
  bool may = false;           // an index is not affine: the access names one of the elements
  std::vector<bool> checked;  // per dimension: the index is checked when the kernel runs
};

// The elements that the indices name, whether they exist or not. An array argument of a call names
// any element. E0109 if the number of indices is not "rank".
Elements named_elements(const Definition& definition, const AccessUse& use, unsigned rank,
                        const Request& request);
// The same for an existing array; an array argument names all its elements. A non-affine index may
// be outside the box of the elements that exist,
//     { X[e] : least(d) <= e_d <= greatest(d) for each dimension d }.
// Then it is checked when the kernel runs, and counts as inside the box. Other indices are not
// restricted: derive_reads checks that their elements exist (R104).
Elements elements_of(const Algorithm& algorithm, const Definition& definition, const AccessUse& use,
                     const Request& request);
// { X[e] : X(e) exists }, for an array or an input.
isl::set all_elements(const Algorithm& algorithm, const std::string& array);

// True if an instance may leave an element of "defines" unchanged: for scatters, and for updates
// with a predicate.
bool may_keep(const Definition& definition);
// True if an expression of the definition accesses an array, component or input of this name.
bool reads_array(const Definition& definition, const std::string& name);
// True if a call in the definition takes the array as an argument.
bool takes_array(const Definition& definition, const std::string& name);

// { S[i] -> P[j] : instance S[i] needs the value of P[j] }, for all producers.
isl::union_map all_reads(const Definition& definition);

// The type of an existing array, component or input.
Type type_of(const Algorithm& algorithm, const std::string& array);
// The number of indices of an array or input.
unsigned rank_of(const Algorithm& algorithm, const std::string& array);

// The parameters of the domains of reductions, the last reduction first. The relations of reads
// begin with these parameters in this order, so that isl seldom has to align the relations of one
// program.
isl::space parameters_of_reductions(const Algorithm& algorithm);

// The reads of one definition:
//  - of an input: the elements themselves;
//  - of an array whose values are each defined once: E . defines^-1;
//  - of an updated array: the definition that wrote the element last before the reader in the
//    reference order (exact array dataflow analysis: Feautrier, Int. J. Parallel Programming 20(1),
//    1991; layers/flow/last_writers.h);
//  - of a result of a reduction: all its contributions and its initial value;
//  - by an instance that may keep an element (it has a predicate, or is a scatter): also the old
//    value of this element, since the instance redefines it even when it keeps the value.
// Throws E0101 for an unknown name, and E0109 for a wrong number of indices. Throws E0112 if an
// inferred domain is read at an index that does not bound it, and E0113, with an instance, if a
// read finds no value.
std::vector<Read> derive_reads(const Algorithm& algorithm, const Definition& definition,
                               const Request& request);

}  // namespace strata
