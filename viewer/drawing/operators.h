// A graph of operators as a picture.
#pragma once

#include <string>
#include <vector>

namespace strata {

// How a node differs from the other picture beside it.
enum class Difference { none, missing, changed };

struct OperatorNode {
  std::string text;        // "dense"
  std::string title = {};  // all about it, for the pointer
  std::string mark = {};   // data-mark of its box; may be empty
  int group = -1;          // -1: in no group
  bool is_root = false;    // of its group
  bool is_outside = false;
  Difference difference = Difference::none;
};
struct OperatorEdge {
  int from = 0, to = 0;
  bool is_fused = false;
  std::string title = {};
};

// The graph as SVG, each node below those that it reads. A box has the colour and the number of its
// group, and the mark g:NUMBER. A root has a thick border, and data from outside has round corners.
// Fused edges are thick, others are dashed. What the other picture lacks has a double border and
// the words "only here", what differs there the word "differs". Edges lead to nodes with greater
// numbers.
std::string draw_operators(const std::vector<OperatorNode>& nodes,
                           const std::vector<OperatorEdge>& edges, const std::string& title);

// The colour of a group, as in the picture.
const char* colour_of_group(int group);

}  // namespace strata
