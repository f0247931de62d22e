// Layer III: is every value still in its place when it is read?
//
// All questions are about one buffer and its Stores. Overwrites and outputs are checked only if two
// values share a place, races and lanes also if a value is written several times; otherwise the
// order of layer II suffices.
#pragma once

#include "schedule/legality/stores.h"
#include "schedule/legality/violation.h"

namespace strata {

// No overwrite (E0301). A writer w of place e with another value breaks the read of P[y] by C[x] in
// e, with these exceptions: w B y; x B w; w is x itself, since an execution reads before it writes;
// or w is a higher lane of the same vector instruction as x:
//     R * (after . overwrites^-1),
//     overwrites = { P[y] -> W[w] : same place, other value, not w B y }
//     after      = { C[x] -> W[w] : same place, not x B w, w != x, w no higher lane of x }
// Values of inputs precede every execution. The steps of an atomic update commute: no step of an
// update overwrites what another step of it reads. The value after a step includes all earlier
// steps in the reference order, so it is overwritten by all later ones there, whenever they run.
std::optional<Violation> find_overwritten_value(const ProgramView& view, const std::string& buffer);

// { P[y] -> W[w] : the values must not share a place }, among the pairs that share one in "view":
// w would overwrite y before it is read, or run concurrently with a write or a read of y, or write
// in the same vector instruction.
isl::union_map find_conflicts(const ProgramView& view, const std::string& buffer);

// No races (E0303): no concurrent executions touch one place if one of them writes, except atomic
// contributions to one result and atomic steps of one update.
std::optional<Violation> find_race(const ProgramView& view, const std::string& buffer);

// Two lanes of one vector instruction that write one place (E0305).
std::optional<Violation> find_colliding_lanes(const ProgramView& view, const std::string& buffer);

// Each place of an output ends with the value that is last in the reference order (E0304):
//     { W[w] -> P[y] : same place, other value, y is Theta0-last there, not w B y }  is empty.
std::optional<Violation> find_lost_output(const ProgramView& view, const std::string& buffer);

// In bounds (E0302): values stay inside the input that they are stored over, or inside the extents
// that the author gave.
std::optional<Violation> find_store_outside(const ProgramView& view, const std::string& buffer);

}  // namespace strata
