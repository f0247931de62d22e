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

// Nodes are the bindings, tuples among their operands, and the leaves that they use: constants, and
// variables from outside. Operators have the kinds that their relations give (operator_kind.h), a
// tuple, and what is bound to one, is a tuple, a field is injective; a constant of rank 0 is
// elementwise; all others are opaque.
//
// External are variables that are seen outside of the block, and those that something else than an
// operator, a tuple or a field uses. The search begins with the parameters of the function, then
// takes the variables of its result, then the others that are external, then bindings that act.
BlockGraph block_graph(const GraphFunction& function, const Block& block);

// The kind of a call, remembered by operator, attributes and types of arguments (a bounded memory
// of the process); opaque where extents are unknown, or may not fit.
struct CallKind {
  FusionKind kind = FusionKind::opaque;
  std::vector<FusionKind> edges = {};  // to each argument; a tuple has that of its fields together
  // The result is an argument, as it is: stop_fusion(x), which stands between two kernels.
  bool computes_nothing = false;
};
CallKind call_kind(const OperatorCall& call, const Where& where = Where::here());

// How often relations have decided a kind.
std::uint64_t kind_questions();

// Calls f(block) for the dataflow blocks of a body, those in branches included.
void for_each_dataflow_block(const Body& body, const std::function<void(const Block&)>& f);

}  // namespace strata::graph
