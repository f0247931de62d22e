// Computations placed inside the loops of their readers (compute_at).
//
// The outer Branch::reader_loops loops around such a branch belong to its readers, the others are
// its own:
//     { P[y] -> pre ++ own(y) },   pre = the iterators of the readers' loops.
// Moving a computation also moves those that are placed in its own loops.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/edit/command.h"

namespace strata {

// A computation removed from its loop nest.
struct Detached {
  const Definition* definition;
  std::vector<Loop> loops;  // its own, outermost first, with empty bodies
  isl::map time;            // { P[y] -> [own iterators] }
  isl::set instances;       // of all its branches
  // The computations placed in its own loops, each with the position of the loop in "loops".
  struct Inside {
    std::size_t loop;
    std::vector<Detached> detached;  // exactly one; a vector as the type is incomplete here
  };
  std::vector<Inside> inside;
};

// Removes all branches of a computation and of those placed in its own loops. E0103 if it has
// several branches that compute_at did not make or that differ in their own loops; E0106 if its own
// loops depend on those that it was placed in; E0204 if it has no branch.
Detached detach(Program& program, const Definition& definition, const Command& command);

// A loop of P's readers, and the values of P that each iteration computes: { pre -> P[y] }.
struct Site {
  Path loop;
  std::optional<isl::map> needed = {};
};

// Sets "needed" of each site to the values of P that its branches read. E0107 if a reader is in no
// site.
void find_needed(std::vector<Site>& sites, const Program& program, const Definition& producer,
                 const Command& command);

// Inserts P into each site, just before the first reader there, then the computations that were
// placed in P's loops into these loops (E0107 if one of them has a reader outside). Each iteration
// of a site has P's buffer for itself, unless another array shares the buffer or something outside
// the sites touches P's array.
void insert(Program& program, const Detached& detached, std::vector<Site> sites,
            const Command& command);
// The same in a separate nest outside all loops, just before the first reader.
void insert_outside(Program& program, const Detached& detached, const Command& command);

}  // namespace strata
