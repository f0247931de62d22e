// Layer II: does every read find its value made before?
#pragma once

#include "schedule/legality/scheduled.h"
#include "schedule/legality/violation.h"

namespace strata {

// For a source that runs once, the pairs that the order does not keep:
//     { P[y] -> C[x] in D : not Theta_P(y) B Theta_C(x) } = D * (Theta_P . not B . Theta_C^-1)
// For one that runs several times (recomputation), the reads that no execution serves:
//     D - (Theta_P . B . Theta_C^-1), for each execution of the reader.
// E0201: some later sequential level is reversed; E0202: a parallel or vector level carries it.
std::optional<Violation> find_reversed_dependence(const Scheduled& scheduled, const Edge& edge);

// The reads of scheduled instances whose producer is not scheduled at all (E0204):
//     { P[y] -> C[x] in D : y not in dom Theta_P }
std::optional<Violation> find_unscheduled_producer(const Scheduled& scheduled, const Edge& edge);

// Two contributions to one result that no order keeps apart (E0207):
//     { S[c] -> S[c'] : rho(c) = rho(c'), c != c', not c B c', not c' B c }
// Contributions of an atomic reduction may meet, but not in one vector instruction.
std::optional<Violation> find_concurrent_contributions(const Scheduled& scheduled,
                                                       const Definition& reduction);

// Contributions to one result in another order than that of reference (E0504):
//     { S[c] -> S[c'] : rho(c) = rho(c'), c <lex c', not c B c' }
std::optional<Violation> find_reordered_contributions(const Scheduled& scheduled,
                                                      const Definition& reduction);

// The same of the steps of an atomic update, which may redefine one element:
//     { U[i] -> U[i'] : i' before i in the reference order, not i' B i }
std::optional<Violation> find_reordered_steps(const Scheduled& scheduled, const Definition& update);

}  // namespace strata
