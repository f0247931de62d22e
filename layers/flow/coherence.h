// Layer IV with two memories: where the values of a buffer are, and the copies between them.
//
// A launch reads and writes the device side of a buffer, all other code its host side. A *unit* is
// a launch, or an outermost node in which only one side touches the buffer and for which the author
// gave no copy of the buffer. An execution u of a unit has the time
//
//     [b0, t0, .., t(p-1), bp],  t0 .. t(p-1) the sequential loops of the host around it.
//
// For a buffer b and a side m there are
//     W_m  the executions that write b on side m
//     N_m  the executions that need what b holds before them: they read a value that they do not
//          compute themselves, or write b while it holds other values that are needed later; for an
//          argument also the end of the kernel, which needs all of b on the caller's side
// The other side of an argument is stale when the kernel begins. Side m is stale for n in N_m if
//     exists w in W_other: w < n,  and no f in F_m: w < f < n                              (*)
// where F_m is what refreshes side m: W_m, and copies from the other side. Derived copies stand
// before exactly those n for which (*) holds with F_m = W_m + N_m. Each of them is needed, and one
// for each n is enough, since a copy moves the whole buffer.
//
// Rule R403 (layers/verify/verify_coherence.h): with F_m = W_m + the copies to m, (*) holds for no
// n in N_m, and for no copy, taken as a reader of its source.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"

namespace strata {

// A copy before node "position" of the body of "loop" (or of the roots); "position" may also be the
// end of the body. The copy runs in the iterations "when" = { buffer[t0, .., tp] }, where tp is the
// iterator of the loop.
struct CoherenceCopy {
  Transfer direction;
  std::string buffer;
  Path loop;
  int position;
  isl::set when;
  bool is_given = false;  // the author gave it
};

inline constexpr int host_side = 0, device_side = 1;

// What happens to one buffer. All times are points of one space. In this space the position of node
// b is 2 b + 1, so that a copy before it has the position 2 b.
struct CoherenceEvents {
  std::string buffer;
  Path scope;               // each iteration of this loop has its own buffer; empty: the kernel
  std::vector<Path> units;  // for arguments also the end of the kernel, after the last node
  int dimensions = 0;
  isl::map precedes;                 // { u -> v : u < v, in one iteration of the scope }
  std::optional<int> only_at_start;  // the side that is fresh when the kernel begins
  isl::set writes[2], needs[2];      // by side
};

// The events of each buffer that a launch touches, if it is an argument or the host touches it too.
// A buffer has events for each loop that allocates it. "mapping" is the program's mapping with the
// branches of initial values.
std::vector<CoherenceEvents> coherence_events(const Program& program, const Mapping& mapping,
                                              const Request& request);

// R218 (layers/verify/verify_coherence.h).
void verify_copies_in_tiles(const Program& program, const Request& request);

// { n in needs : (*) }, with "fresh" = F_m for the side m.
isl::set stale(const CoherenceEvents& events, int side, const isl::set& needs,
               const isl::set& fresh);
// The times of a copy of the buffer.
isl::set copy_times(const CoherenceCopy& copy, const CoherenceEvents& events);
// { [t0, .., t(p-1)] -> u }: the times at which a node is executed or, if "before", those just
// before it.
isl::map times_at(isl::ctx ctx, const Path& node, bool before, int dimensions);

// All copies: first those of the author, then the derived ones of each buffer. "events" is what
// coherence_events returns for the program.
std::vector<CoherenceCopy> copies_for(const Program& program, const Mapping& mapping,
                                      const std::vector<CoherenceEvents>& events);
std::vector<CoherenceCopy> coherence_copies(const Program& program, const Mapping& mapping,
                                            const Request& request);

}  // namespace strata
