// The forest of loops that code is generated for: the forest of the Mapping, whose branches carry
// the times at which they run. Separating full from partial tiles (codegen/nests/full_tiles.h)
// replaces a loop by copies of itself with disjoint times.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "codegen/nests/time_space.h"

namespace strata {

struct Nest;

// A loop of the Mapping.
struct LoopNest {
  const Loop* loop;
  int id;                  // its copies share it
  TailStrategy tail;       // the author's, or what it stands for here
  std::vector<Nest> body;  // in order

  LoopNest(const Loop& loop, int id, std::vector<Nest> body);
};

// A branch, by its index in the TimeSpace.
struct BranchNest {
  int index;
};

struct Nest {
  std::variant<LoopNest, BranchNest> content;
  int depth;  // the number of loops around
  int node;   // its index among its siblings in the Mapping
  // When this copy runs: for a branch { B[t0, .., t(depth-1)] }, for a loop its iterations
  // { [t0, .., t(depth)] }.
  isl::set times;
  isl::set whole;  // the union of the times of all its copies
  // If set: this copy runs only in these iterations { [t0, .., t(depth-1)] } of the loop around,
  // even if "times" has more.
  std::optional<isl::set> only = {};

  bool is_loop() const { return std::holds_alternative<LoopNest>(content); }
  const Loop& loop() const { return *std::get<LoopNest>(content).loop; }
  int id() const { return std::get<LoopNest>(content).id; }
  TailStrategy& tail() { return std::get<LoopNest>(content).tail; }
  TailStrategy tail() const { return std::get<LoopNest>(content).tail; }
  std::vector<Nest>& body() { return std::get<LoopNest>(content).body; }
  const std::vector<Nest>& body() const { return std::get<LoopNest>(content).body; }
  int branch() const { return std::get<BranchNest>(content).index; }
};

// Here Nest is complete, as std::vector requires.
inline LoopNest::LoopNest(const Loop& loop, int id, std::vector<Nest> body)
    : loop(&loop), id(id), tail(loop.tail), body(std::move(body)) {}

// The whole forest, without the branches that never run.
std::vector<Nest> nests(const TimeSpace& space, const Mapping& mapping);

// Calls "visitor" on each branch under "nest", in order.
template <typename Visitor>
void for_each_leaf(const Nest& nest, const Visitor& visitor) {
  if (!nest.is_loop()) return visitor(nest);
  for (const Nest& inner : nest.body()) for_each_leaf(inner, visitor);
}

// The number of loops and branches.
int count(const std::vector<Nest>& nests);

// { [t0, .., t(n-1)] : exists the rest : B[t] in times }. Where the rest has no formula but only
// bounds (2 j <= i < 3 j), the rational shadow instead, in no more pieces than "times": an
// iteration that runs nothing is cheap, since the loops inside are empty, but the exact set has
// many pieces, each with its own copy of all loops inside.
isl::set prefixes(const isl::set& times, int n);
// { B[t] in times : [t0, .., t(n-1)] in region }
isl::set within(const isl::set& times, const isl::set& region);

// "nests" restricted to the prefixes in "region", without the branches and loops that become empty.
std::vector<Nest> restricted(const std::vector<Nest>& nests, const isl::set& region);

}  // namespace strata
