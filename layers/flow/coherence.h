// Layer IV with two memories: where the values of a buffer are, and the copies between them.
//
// A launch reads and writes the device side of a buffer, all other code its host side.  What runs
// on one side only, a launch or a nest without launches or a loop with nothing else that touches
// or copies the buffer, is a *unit*; its executions u have the times
//
//     [b0, t0, .., t(p-1), bp],  t0 .. t(p-1) the sequential loops of the host around it.
//
// For a buffer b and a side m there are
//     W_m  the executions that write b on side m
//     N_m  those that need what b holds before: they read a value that they do not compute
//          themselves, or write b while it holds other values that are needed later; and, for
//          arguments, the end of the kernel, which needs all on the caller's side
// and the other side of an argument is stale when the kernel begins.  Side m is stale for n in N_m
// if
//     exists w in W_other: w < n,  and no f in F_m: w < f < n                              (*)
// with F_m what refreshes it: W_m, and copies from the other side.  Derived copies stand before
// exactly those n for which (*) holds with F_m = W_m + N_m: each is needed, and one is enough,
// since a copy moves the whole buffer.
//
// Rule R403 (layers/verify/verify_coherence.h): (*) holds for no n, nor for a copy as a reader of
// its source, with F_m = W_m + the copies to m.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// A copy before node "position" of the body of "loop" (or of the roots), or after the last node, in
// the iterations "when" = { buffer[t0, .., tp] }, tp the iterator of the loop.
struct CoherenceCopy {
  Transfer direction;
  std::string buffer;
  Path loop;
  int position;
  isl::set when;
  bool is_given = false;  // by the author
};

inline constexpr int host_side = 0, device_side = 1;

// What happens to one buffer, in the order of its times.  All times are points of one space, in
// which positions b are 2 b + 1, so that a copy before node b has the position 2 b.
struct CoherenceEvents {
  std::string buffer;
  Path scope;               // the loop whose iterations have a buffer each; empty: the kernel
  std::vector<Path> units;  // and for arguments the end of the kernel, after the last node
  int dimensions = 0;
  isl::map precedes;                 // { u -> v : u < v, in one iteration of the scope }
  std::optional<int> only_at_start;  // the side that is fresh when the kernel begins
  isl::set writes[2], needs[2];      // by side
};

// Of each buffer that launches touch, and that is an argument or touched on the host too, in each
// loop that allocates it.  "mapping" is the program's with the branches of initial values.  E0502
// for a loop over tiles of a parametric size in which both sides touch a buffer.
std::vector<CoherenceEvents> coherence_events(const Program& program, const Mapping& mapping,
                                              const Request& request);

// { n in needs : (*) }, with "fresh" = F_m for the side m.
isl::set stale(const CoherenceEvents& events, int side, const isl::set& needs,
               const isl::set& fresh);
// The times of a copy of the buffer.
isl::set copy_times(const CoherenceCopy& copy, const CoherenceEvents& events);
// { [t0, .., t(p-1)] -> u }: the executions of a node, or what comes just before it.
isl::map times_at(isl::ctx ctx, const Path& node, bool before, int dimensions);

// All copies, first those of the author, then the derived ones of each buffer; "events" are
// coherence_events of the program.
std::vector<CoherenceCopy> copies_for(const Program& program, const Mapping& mapping,
                                      const std::vector<CoherenceEvents>& events);
std::vector<CoherenceCopy> coherence_copies(const Program& program, const Mapping& mapping,
                                            const Request& request);

}  // namespace strata
