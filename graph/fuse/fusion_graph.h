// What fusion sees of a program: nodes, and the kinds of the edges between them.
//
// After Relay's FuseOps (Roesch et al., "Relay: A High-Level Compiler for Deep Learning", 2019).
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace strata::graph {

// How the elements of a result depend on those of an argument; of two, the greater one counts for
// both together.
enum class FusionKind {
  elementwise = 0,              // element o on element o
  broadcast = 1,                // on one element, whose indices are some of o's, in order
  injective = 2,                // on one element, or where data say
  reduction = 3,                // on all along some dimensions, each of which no other needs
  out_elementwise_fusable = 4,  // on several that others need, too: products, windows
  tuple = 7,
  opaque = 8,  // nothing is fused with it
};

inline FusionKind combined(FusionKind a, FusionKind b) { return std::max(a, b); }
std::string to_string(FusionKind kind);

// A node as it is given: arguments are other nodes.
struct FusionInput {
  std::string name;
  FusionKind kind = FusionKind::opaque;
  bool is_external = false;  // something outside of the graph uses it, too
  std::vector<std::pair<int, FusionKind>> arguments = {};
};

struct FusionNode {
  struct Output {
    int consumer;
    FusionKind kind;
  };
  std::string name;
  FusionKind kind;
  bool is_external;
  int given;  // its number among the inputs
  // In the order in which the consumers are entered; one that reads the node twice stands twice.
  std::vector<Output> outputs = {};
};

// Nodes, each after those that it reads.
using FusionGraph = std::vector<FusionNode>;

// The nodes that the roots reach, in the order in which a depth-first search leaves them; it goes
// through the roots, and through the arguments of a node, in their order.
FusionGraph fusion_graph(const std::vector<FusionInput>& nodes, const std::vector<int>& roots);

// A line for each node:
//     node[2] divide outputs=[4:0, ]
std::string text_of(const FusionGraph& graph);

}  // namespace strata::graph
