// Where the nodes of an acyclic graph are in a picture: in layers, each below what it depends on
// (after Sugiyama, Tagawa, Toda, "Methods for Visual Understanding of Hierarchical System
// Structures", 1981).
#pragma once

#include <vector>

#include "viewer/drawing/svg.h"

namespace strata {

struct LayeredEdge {
  int from = 0, to = 0;
};
struct PicturePoint {
  int x = 0, y = 0;
};

struct LayeredGraph {
  std::vector<PictureBox> nodes;
  // Of each edge: from the lower side of a node, through gaps in the layers between, to the upper
  // side of the other node.
  std::vector<std::vector<PicturePoint>> ways;
  int width = 0, height = 0;
};

// Nodes have these widths. Each edge leads to a node with a greater number. A node that no edge
// leads to stands in the layer above its first reader, any other one below all that lead to it.
LayeredGraph layered(const std::vector<int>& widths, const std::vector<LayeredEdge>& edges);

}  // namespace strata
