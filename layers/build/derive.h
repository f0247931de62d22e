// What follows from the definitions of an algorithm, derived anew where they have changed.
#pragma once

#include <map>
#include <set>
#include <string>

#include "core/error.h"
#include "layers/algorithm.h"

namespace strata {

struct Derived {
  Definitions definitions;  // with what was derived
  Context context;
  isl::space order;  // of parameters in reads (parameters_of_reductions)
  // Inferred definitions that have a reader before them whose domain grew or shrank after theirs.
  std::set<std::string> due;
  // Definitions whose order waits for a value of one that is declared and not yet defined (R106).
  std::set<std::string> unordered;
};

// Verifies R104 to R106 (layers/algorithm.h) and derives Definition::reads, and the domains of
// inferred definitions P, last definition first:
//     D_P = (box of the ranges given) * union over readers S of  ran (E_S . defines_P^-1)
// P has no instances while nobody reads it.  Its branches, in the reference order and in "mapping",
// run its domain when that has changed.
//
// What was derived before stays where it would be the same.  Let C be the definitions that are new,
// edited or gone since, and inferred ones whose domain changes.  Then these are derived:
//     the domain of P  if  P is in C, or one of C reads P's array
//     the reads of S   if  S is in C, or S reads an array that one of C defines
// or all, where nothing is derived yet, or the context has changed.  So definitions that stay have
// to keep their places in the reference order to each other.
void derive(Algorithm& algorithm, Mapping& mapping, const Request& request);

// Gives the branches of these definitions their domains as instances.
void set_instances(Mapping& forest, const std::map<std::string, InstanceSet>& domains);

}  // namespace strata
