// The graph that fusion sees of a dataflow block.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "graph/fuse/fusion_graph.h"
#include "graph/ir/module.h"

namespace strata::graph {

struct BlockGraph {
  FusionGraph graph;
  std::vector<const Binding*> bindings = {};  // of the nodes; null: a leaf from outside
};

// Nodes are the bindings, the tuples among their operands, and the leaves that they use: constants,
// and variables from outside. The relations of an operator give its kind (operator_kind.h). A
// tuple, and a variable bound to one, has the kind tuple. A field is injective, and a constant of
// rank 0 is elementwise. All other nodes are opaque.
//
// A variable is external if it is seen outside of the block, or if anything but an operator, a
// tuple or a field uses it. The search begins with the parameters of the function. Then come the
// variables of its result, then the other external variables, then bindings with effects.
BlockGraph block_graph(const GraphFunction& function, const Block& block);

// The kind of a call. The process remembers a bounded number of them, by operator, attributes and
// types of arguments. Opaque if extents are unknown, or may not fit.
struct CallKind {
  FusionKind kind = FusionKind::opaque;
  std::vector<FusionKind> edges = {};  // to each argument; a tuple: of all its fields
  // The result is an argument, as it is: stop_fusion(x), which stands between two kernels.
  bool computes_nothing = false;
};
CallKind call_kind(const OperatorCall& call, const Where& where = Where::here());

// How many kinds have been decided by relations so far.
std::uint64_t kind_questions();

// Calls f(block) for the dataflow blocks of a body and of the branches in it.
void for_each_dataflow_block(const Body& body, const std::function<void(const Block&)>& f);

}  // namespace strata::graph
