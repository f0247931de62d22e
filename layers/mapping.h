// Layer II: when, and on which processor.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/sets/relation.h"
#include "layers/loop_head.h"
#include "layers/mma_shape.h"

namespace strata {

struct Node;

// One definition's place under the loops around it. "time" maps its instances to the iterators of
// those loops, outermost first:
//     { S[i] -> [t0, .., t(d-1)] },   d = number of loops around;
// it is not restricted to the iteration domain. "instances" are those that this branch runs:
// usually the whole domain; a piecewise schedule has several branches.
struct Branch {
  std::string definition;
  TimeMap time;
  InstanceSet instances;
  // How many of the outer loops belong to its readers: compute_at placed the branch in them. The
  // inner ones are its own.
  int reader_loops = 0;
  // Its name among the branches of the definition; empty if it is the only one (R209).
  std::string piece = {};
  // Does it copy from global to shared memory asynchronously, where the device can (R214)?  Its
  // meaning is that of a copy at its time.
  bool asynchronous = false;
  // Contributions A * B whose innermost loops are a product on tensor cores, where the device has
  // them (R215).
  std::optional<MmaShape> mma = {};
};
// "S", or "S.head" for a piece.
std::string name_of(const Branch& branch);

// A loop is owned by all branches inside it.
struct Loop : LoopHead {
  std::vector<Node> body;  // in order

  Loop();
  explicit Loop(LoopHead head);
  Loop(LoopHead head, std::vector<Node> nodes);
};

struct Node {
  std::variant<Loop, Branch> content;

  bool is_loop() const { return std::holds_alternative<Loop>(content); }
  Loop& loop() { return std::get<Loop>(content); }
  const Loop& loop() const { return std::get<Loop>(content); }
  Branch& branch() { return std::get<Branch>(content); }
  const Branch& branch() const { return std::get<Branch>(content); }
};

// Here Node is complete, as std::vector requires.
inline Loop::Loop() = default;
inline Loop::Loop(LoopHead head) : LoopHead(std::move(head)) {}
inline Loop::Loop(LoopHead head, std::vector<Node> nodes)
    : LoopHead(std::move(head)), body(std::move(nodes)) {}

// Positions of nested nodes, outermost first. The path of a loop at depth p is its static prefix
// b0 .. bp; the path of a branch has one more number than it has loops around it.
using Path = std::vector<int>;

// The schedule of the whole program: an ordered forest. Its shape *is* the static part of the
// 2d+1 schedule map: the node at position b of its parent has static dimension b there. So
// branches that share a static prefix share its loops, and a branch beside a loop differs from
// everything inside it in that position.
//
// Rules R201 to R217: layers/verify/verify_mapping.h.
struct Mapping {
  std::vector<Node> roots;
};

// A branch with its path and the loops around it.
struct Placed {
  Path path;
  std::vector<const Loop*> loops;  // outermost first
  const Branch* branch;
};

// True if the loop at path "loop" contains the node at "path".
bool is_inside(const Path& path, const Path& loop);
// The first "count" positions of a path: of a branch's path, the path of the innermost of the
// "count" outermost loops around it.
Path prefix(const Path& path, std::size_t count);

// All branches in static order; and those of one definition, or of some.
std::vector<Placed> branches(const Mapping& mapping);
std::vector<Placed> branches_of(const Mapping& mapping, const std::string& definition);
std::vector<Placed> branches_of(const Mapping& mapping, const std::set<std::string>& definitions);
// The names of the definitions with a branch under "node", in static order.
std::vector<std::string> owners(const Node& node);

// Restores R209 after branches were added or removed: clears the name of a single branch, and names
// unnamed pieces p1, p2, .., in static order, skipping names in use.
void name_pieces(Mapping& mapping);
// The names of a definition's pieces.
std::set<std::string> pieces_of(const Mapping& mapping, const std::string& definition);

// "branch" nested in "loops", outermost first, each with nothing else in it.
Node in_loops(std::vector<Loop> loops, Branch branch);

const Node& node_at(const Mapping& mapping, const Path& path);
Node& node_at(Mapping& mapping, const Path& path);
// The loop at "path" and those around it, outermost first.
std::vector<const Loop*> loops_along(const Mapping& mapping, const Path& path);
// The loops that allocate "buffer" (Loop::allocations), in static order.
std::vector<Path> allocating_loops(const Mapping& mapping, const std::string& buffer);
// The list of nodes that "path" indexes: the roots, or the body of a loop.
std::vector<Node>& siblings_at(Mapping& mapping, const Path& path);

// { S[i] -> [t0, .., t(d-1)] : S[i] in the branch's instances }: when the branch runs its
// instances.
isl::map executions(const Branch& branch);
// { S[i] : one of these branches of S runs it }, in the space of "domain", the domain of S.
isl::set running(const std::vector<Placed>& branches, const isl::set& domain);

// { S[i] -> [t_level] }, from { S[i] -> [t0, .., t(d-1)] }.
isl::map one_level(const isl::map& time, unsigned level);

// "time" = { S[i] -> [t0, .., t(d-1)] } under "loops", without the levels of loops over tiles of a
// parametric size: the part that holds for every size.
isl::map known_time(const isl::map& time, const std::vector<const Loop*>& loops);

// Calls "edit" on each branch under "node" (a branch itself included).
void for_each_branch(Node& node, const std::function<void(Branch&)>& edit);
// Calls "edit" on each loop of the mapping, the outer ones first.
void for_each_loop(Mapping& mapping, const std::function<void(Loop&)>& edit);

// { S[i] -> [b0, t0, b1, .., t(d-1), bd] : S[i] in the branch's instances }, padded with zeros
// to "dimensions" (0: not padded).
TimeMap theta(const Placed& placed, int dimensions = 0);
// The union over all branches, padded to a common number of dimensions.
TimeMaps theta(const Mapping& mapping);
int max_depth(const Mapping& mapping);  // the number of loops around the deepest branch

}  // namespace strata
