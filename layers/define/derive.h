// What follows from the definitions of an algorithm, derived anew where they have changed.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "core/error.h"
#include "layers/algorithm.h"
#include "layers/define/remembered_reads.h"

namespace strata {

struct Derived {
  Definitions definitions;  // with what was derived
  Context context;
  isl::space order;  // of the parameters in reads (parameters_of_reductions)
  // Definitions to infer again: the domain of an earlier definition that reads them has changed
  // since theirs was inferred.
  std::set<std::string> due;
  // Definitions for which R106 is still to be verified: some declared computation has no value.
  std::set<std::string> unordered;
  // Shared with the programs before and after, which are of the same session.
  std::shared_ptr<RememberedReads> remembered;
};

// Verifies R104 to R106 (layers/algorithm.h) and derives Definition::reads, and the domains of
// inferred definitions P, last definition first:
//     D_P = (box of the ranges given) * union over readers S of  ran (E_S . defines_P^-1),
//     E_S = { S[i] -> X[e] : S[i] reads X(e) },  X the array of P
// P has no instances while nothing reads it. When its domain changes, so do the instances of its
// branches in the reference order and in "mapping".
//
// What would not change is not derived again. Let C be the definitions that are new, edited or
// removed since the last time, and inferred ones whose domain changes. Then these are derived:
//     the domain of P  if  P is in C, or one of C reads P's array
//     the reads of S   if  S is in C, or S reads an array that one of C defines
// and everything if nothing is derived yet, or if the context has changed. So the definitions that
// stay must keep their order relative to each other in the reference order.
void derive(Algorithm& algorithm, Mapping& mapping, const Request& request);

// Gives the branches of these definitions their domains as instances.
void set_instances(Mapping& forest, const std::map<std::string, InstanceSet>& domains);

}  // namespace strata
