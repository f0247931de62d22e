// What a program says that questions of legality can depend on, as values that can be compared.
#pragma once

#include <compare>
#include <string>
#include <variant>
#include <vector>

#include "layers/flow/order.h"

namespace strata {

// A branch: the "number"-th of its definition, in static order.
struct Run {
  std::string definition;
  int number = 0;
  auto operator<=>(const Run&) const = default;
};

// A loop: that at "level" around a branch.
struct LoopAt {
  Run run;
  int level = 0;
  auto operator<=>(const LoopAt&) const = default;
};

// What is looked at: the whole program, or one iteration of the "number"-th loop that allocates
// "buffer".
struct Scope {
  std::string buffer = "";  // empty: the whole program
  int number = 0;
  bool one_tile = false;  // all that may be in one tile of loops over parametric ones
  auto operator<=>(const Scope&) const = default;
};

// A question about the program that has a value for an answer and no other questions in it.
struct Fact {
  enum class Of {
    branches,    // how many branches "name" has: int
    time,        // of branch (name, number): isl::map
    instances,   // of branch (name, number): isl::set
    leading,     // the first "level" iterators of its time: isl::map
    executed,    // the instances that it executes: isl::set
    runs_once,   // does every instance of "name" run at most once?  bool
    standing,    // of branches (name, number) and (other, level) to each other: Standing
    allocation,  // which loop that allocates "other" stands around branch (name, number): int, or -1
    owners,      // branches in the loop at "level" around branch (name, number): vector<Run>
    tagged,      // all loops that must have a constant extent: vector<LoopAt>
    buffers,     // names of all: vector<string>
    buffer,      // of the array "name": string
    arrays,      // arrays and inputs that are stored in the buffer "name": vector<string>
    place,       // of the array or input "name": isl::map
    box,         // the elements of the buffer "name", where its extents are given: isl::set, or bool
    allocating,  // how many loops allocate the buffer "name": int
    kept,        // does the caller see the buffer "name"?  bool
    everything,  // never the same
  };
  Of of;
  Scope scope = {};
  std::string name = {};
  int number = 0;
  std::string other = {};
  int level = 0;
  auto operator<=>(const Fact&) const = default;
};

// A fact about something that does not exist is monostate.
using FactValue =
    std::variant<std::monostate, bool, int, std::string, std::vector<std::string>, std::vector<Run>,
                 std::vector<LoopAt>, isl::map, isl::set, Standing>;

// Are both plainly the same?  Relations are compared as isl has them; false where that does not
// tell, and where nothing is there.
bool same(const FactValue& a, const FactValue& b);

}  // namespace strata
