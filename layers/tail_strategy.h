// How partial tiles at the domain boundary are executed.
#pragma once

#include <optional>
#include <string>

namespace strata {

// The choice does not change the meaning: the same instances execute, in an order that the loops'
// processors permit.
//
//  automatic  an unconditional copy of the nest for full tiles of the loop; the rest is searched
//             for full tiles further in, within a bound on copies. On a CPU with masks
//             (Machine::masks) what remains of a vector is masked, unless it gathers or updates an
//             array in place, and unrolled loops around vectors of sums that are an iteration's
//             own are "separate", as are these vectors
//  separate   one copy for full tiles, and one with guards for the rest
//  guard      one copy, with guards inside
//  mask       for a vector loop: one copy, with lanes beyond the boundary masked off
enum class TailStrategy { automatic, separate, guard, mask };

std::string to_string(TailStrategy tail);
std::optional<TailStrategy> tail_strategy_named(const std::string& name);

}  // namespace strata
