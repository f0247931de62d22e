// The rules of layer I (layers/algorithm.h), each as a function that throws the request's error.
// R102 holds by construction (layers/define/build.h); R104 is checked when reads are derived
// (layers/flow/reads.h).
#pragma once

#include <set>
#include <string>

#include "core/error.h"
#include "layers/algorithm.h"

namespace strata {

// R101: a name is an identifier (E0105) that nothing else has (E0104).
void require_new_name(const Algorithm& algorithm, const std::string& name, const Request& request);
// True for a C identifier that is not a keyword of C, C++ or isl.
bool is_identifier(const std::string& name);
void require_buffer_name(const std::string& name, const Request& request);  // E0105

// R103: distinct instances define distinct values (E0114), except in reductions and updates:
//   defines . defines^-1  on the domain is a subset of the identity
void verify_single_assignment(const Algorithm& algorithm, const Definition& definition,
                              const Request& request);

// R105: if a node of "e" (called "what" in errors) names an array or parameter of this function and
// was made by a handle, that handle belongs to this function (E0101), every access has the type of
// its array (E0110), and no scalar is passed as an array (E0106).
void verify_handles(const Algorithm& algorithm, const Expr& e, const std::string& what,
                    const Request& request);
// R105: iterators and parameters in the definition's expressions are known (E0101), no reduction is
// inside them (E0117), they carry no mistake of their own (the code stored in the expression), and
// verify_handles holds.
void verify_expression(const Algorithm& algorithm, const Definition& definition,
                       const Request& request);

// R106: the reference order runs every read of "readers" after the value it needs (E0206):
//   { S[i] -> P[j] in R_S : Theta0(P[j]) >=lex Theta0(S[i]) }  is empty.
void verify_reference_order(const Algorithm& algorithm, const std::set<std::string>& readers,
                            const Request& request);

// R107: an atomic definition is a reduction, or an update that is a step of one (E0106).
void verify_atomics(const Algorithm& algorithm, const Request& request);

}  // namespace strata
