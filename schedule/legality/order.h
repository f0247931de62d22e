// Layer II: is every value made before it is read?
#pragma once

#include "schedule/legality/program_view.h"
#include "schedule/legality/violation.h"

namespace strata {

// With D = edge.relation. If the source runs once, the pairs whose order is not kept:
//     { P[y] -> C[x] in D : not Theta_P(y) B Theta_C(x) } = D * (Theta_P . not B . Theta_C^-1)
// If it runs several times (recomputation), the reads that no execution serves:
//     D - (Theta_P . B . Theta_C^-1), for each execution of the reader.
// E0201: a sequential level reverses a pair; E0202: a parallel or vector level carries it.
std::optional<Violation> find_reversed_dependence(const ProgramView& view, const Edge& edge);

// Reads by scheduled instances of values that are never computed (E0204), with the same D:
//     { P[y] -> C[x] in D : y not in dom Theta_P }
std::optional<Violation> find_unscheduled_producer(const ProgramView& view, const Edge& edge);

// Unordered contributions to one result (E0207):
//     { S[c] -> S[c'] : rho(c) = rho(c'), c != c', not c B c', not c' B c }
// Contributions of an atomic reduction may be concurrent, but not in one vector instruction.
std::optional<Violation> find_concurrent_contributions(const ProgramView& view,
                                                       const Definition& reduction);

// Contributions to one result in another order than the reference order (E0504):
//     { S[c] -> S[c'] : rho(c) = rho(c'), c <lex c', not c B c' }
std::optional<Violation> find_reordered_contributions(const ProgramView& view,
                                                      const Definition& reduction);

// The same for the steps of an atomic update that may redefine one element:
//     { U[i] -> U[i'] : i before i' in the reference order, not i B i' }
std::optional<Violation> find_reordered_steps(const ProgramView& view, const Definition& update);

}  // namespace strata
