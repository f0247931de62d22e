// The facts about a program that legality questions can depend on, as comparable values.
#pragma once

#include <compare>
#include <string>
#include <variant>
#include <vector>

#include "layers/flow/order.h"

namespace strata {

// The "number"-th branch of a definition, in static order.
struct BranchId {
  std::string definition;
  int number = 0;
  auto operator<=>(const BranchId&) const = default;
};

// The loop at "level" around a branch.
struct LoopAt {
  BranchId branch;
  int level = 0;
  auto operator<=>(const LoopAt&) const = default;
};

// The part of the program that a fact is about: all of it, or one iteration of the "number"-th loop
// that allocates "buffer".
struct FactScope {
  std::string buffer = "";  // empty: the whole program
  int number = 0;
  bool one_tile = false;  // treat each loop over parametric tiles as a single tile
  auto operator<=>(const FactScope&) const = default;
};

// The key of a fact: a property of the program whose value can be compared.
struct Fact {
  enum class Of {
    branches,   // number of branches of "name": int
    time,       // of branch (name, number): isl::map
    instances,  // of branch (name, number): isl::set
    leading,    // the first "level" iterators of the time of branch (name, number): isl::map
    executed,   // the instances that branch (name, number) executes: isl::set
    runs_once,  // does every instance of "name" run at most once?  bool
    relative_position,  // of branches (name, number) and (other, level): RelativePosition
    allocation,  // number of the loop allocating "other" around branch (name, number): int, or -1
    threads,     // which thread runs branch (name, number) at a time: isl::map
    in_threads,  // is a thread loop around branch (name, number)?  bool
    owners,      // branches in the loop at "level" around branch (name, number): vector<BranchId>
    tagged,      // all loops that must have a constant extent: vector<LoopAt>
    buffers,     // names of all buffers: vector<string>
    buffer,      // the buffer of the array "name": string
    arrays,      // arrays and inputs stored in the buffer "name": vector<string>
    place,       // access relation of the array or input "name": isl::map
    box,         // elements of the buffer "name": isl::set, or false if it has no given extents
    memory,      // of the buffer "name", as in texts: string
    allocating,  // number of loops that allocate the buffer "name": int
    kept,        // does the caller see the buffer "name"?  bool
    everything,  // always unequal: an answer that reads it is not reused
  };
  Of of;
  FactScope scope = {};
  std::string name = {};
  int number = 0;
  std::string other = {};
  int level = 0;
  auto operator<=>(const Fact&) const = default;
};

// The value of a fact; monostate if the thing that the fact is about does not exist.
using FactValue =
    std::variant<std::monostate, bool, int, std::string, std::vector<std::string>,
                 std::vector<BranchId>, std::vector<LoopAt>, isl::map, isl::set, RelativePosition>;

// Are the values plainly equal? Relations are compared with isl's plain (syntactic) comparison;
// false if that is inconclusive, and for monostate.
bool same(const FactValue& a, const FactValue& b);

}  // namespace strata
