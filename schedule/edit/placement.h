// Computations inside the loops of their readers (compute_at), and what they keep of their own.
//
// A branch that is placed stands in "placed" loops of its readers, and in loops of its own inside:
//     { P[y] -> pre ++ own(y) },   pre the iterators of the readers' loops.
// Moving a computation takes along those that are placed in its own loops.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// A computation taken out of the loops around it.
struct Taken {
  const Definition* definition;
  std::vector<Loop> loops;  // its own, outermost first, holding nothing
  isl::map time;            // { P[y] -> [own iterators] }
  isl::set instances;       // what it ran, all places together
  // Those that were placed in its own loops: in which, and themselves.
  struct Inside {
    std::size_t loop;
    std::vector<Taken> taken;  // one
  };
  std::vector<Inside> inside;
};

// Removes all branches of a computation and of what is placed in its own loops.
// E0103 where its branches have different loops of their own, E0107 where another computation stands
// in one of them and is computed for it, E0204 where it has none.
Taken take_out(Program& program, const Definition& definition, const Command& command);

// What of P an iteration of a loop of its readers computes: { pre -> P[y] }.
struct Site {
  Path loop;
  std::optional<isl::map> needed = {};
};

// The values of P that the branches inside the sites read.  E0107 where a reader stands in none.
void find_needed(std::vector<Site>& sites, const Program& program, const Definition& producer,
                 const Command& command);

// Puts P, and what was placed in its loops, into each site, just before the first reader there.
// Each iteration has the buffer of P's values for itself, unless other values live there too.
void put_in(Program& program, const Taken& taken, std::vector<Site> sites, const Command& command);
// Puts all of P in a nest of its own, just before the first reader, outside of all loops.
void put_outside(Program& program, const Taken& taken, const Command& command);

}  // namespace strata
