// What fusion sees of a program: nodes, and the kinds of the edges between them.
//
// After Relay's FuseOps (Roesch et al., "Relay: A High-Level Compiler for Deep Learning", 2019).
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace strata::graph {

// How the elements of a result depend on the elements of an argument. Two kinds together count as
// the greater one.
enum class FusionKind {
  elementwise = 0,              // element o on element o
  broadcast = 1,                // on one element, whose indices are some of o's, in order
  injective = 2,                // on one element, whose place data may decide
  reduction = 3,                // on all along some dimensions; no other element needs these
  out_elementwise_fusable = 4,  // on several that others need too: products, windows
  tuple = 7,
  opaque = 8,  // nothing is fused with it
};

inline FusionKind combined(FusionKind a, FusionKind b) { return std::max(a, b); }
std::string to_string(FusionKind kind);

// A node as the caller gives it. Its arguments are other nodes.
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
  // In the order in which the search enters the consumers. A consumer that reads the node twice is
  // here twice.
  std::vector<Output> outputs = {};
};

// Nodes, each after the nodes that it reads.
using FusionGraph = std::vector<FusionNode>;

// The nodes that the roots reach, in the order in which a depth-first search leaves them. The
// search goes through the roots in order, and through the arguments of each node in order.
FusionGraph fusion_graph(const std::vector<FusionInput>& nodes, const std::vector<int>& roots);

// The graph as text, one line for each node:
//     node[2] divide outputs=[4:0, ]
std::string text_of(const FusionGraph& graph);

}  // namespace strata::graph
