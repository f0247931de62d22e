// Domains of computations whose iterators have no range.
#pragma once

#include "core/error.h"
#include "layers/algorithm.h"

namespace strata {

// Gives each inferred definition the instances that its readers need, last definition first:
//   D_P = (box of the ranges given) * union over readers S of  ran (E_S . defines_P^-1)
// and its branches (in the reference order and in "mapping") the same instances.
// A definition without readers has none.
void infer_domains(Algorithm& algorithm, Mapping& mapping, const Request& request);

// Gives the branches of "d" in the forest its domain as instances.
void set_instances(Mapping& forest, const Definition& d);

}  // namespace strata
