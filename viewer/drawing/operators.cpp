#include "viewer/drawing/operators.h"

#include <array>

#include "viewer/drawing/layered.h"
#include "viewer/drawing/svg.h"

namespace strata {

namespace {

constexpr int node_padding = 8, base_line = 17, longest_text = 40;

std::string label_of(const OperatorNode& node) {
  std::string label = shortened(node.text, longest_text);
  if (node.group >= 0) label += " · " + std::to_string(node.group);
  if (node.difference == Difference::missing) label += " · only here";
  if (node.difference == Difference::changed) label += " · differs";
  return label;
}

// A curve through the gaps between layers, straight inside of them.
std::string path_of(const std::vector<PicturePoint>& way) {
  const auto text = [](int x, int y) { return std::to_string(x) + " " + std::to_string(y); };
  std::string path = "M" + text(way[0].x, way[0].y);
  for (std::size_t k = 1; k < way.size(); ++k) {
    const PicturePoint &a = way[k - 1], &b = way[k];
    const int middle = (a.y + b.y) / 2;
    if (a.x == b.x)
      path += "L" + text(b.x, b.y);
    else
      path += "C" + text(a.x, middle) + " " + text(b.x, middle) + " " + text(b.x, b.y);
  }
  return path;
}

void draw_edge(Svg& svg, const OperatorEdge& edge, const std::vector<PicturePoint>& way) {
  SvgAttributes look = {{"d", path_of(way)}, {"fill", "none"}, {"stroke", faint_ink}};
  look.emplace_back("stroke-width", edge.is_fused ? 3 : 1);
  if (!edge.is_fused) look.emplace_back("stroke-dasharray", "4 3");
  look.emplace_back("class", edge.is_fused ? "fused" : "apart");
  svg.add("path", look, edge.title);
}

void draw_node(Svg& svg, const OperatorNode& node, const PictureBox& box) {
  SvgAttributes marks;
  const std::string group = node.group < 0 ? "" : " g:" + std::to_string(node.group);
  if (!node.mark.empty())
    marks = {{"class", "operator"}, {"data-mark", node.mark + group}, {"data-pick", node.mark}};
  svg.open(marks);
  SvgAttributes look = {{"fill", node.group < 0 ? paper : colour_of_group(node.group)},
                        {"stroke", ink}};
  look.emplace_back("stroke-width", node.is_root ? 2 : 1);
  look.emplace_back("rx", node.is_outside ? box.height / 2 : 3);
  svg.add("rect", attributes_of(box, look), node.title);
  if (node.difference == Difference::missing) {
    const PictureBox around = {box.x - 3, box.y - 3, box.width + 6, box.height + 6};
    svg.add("rect", attributes_of(around, {{"fill", "none"}, {"stroke", ink}, {"rx", 4}}));
  }
  svg.text(box.x + node_padding, box.y + base_line, label_of(node), {{"pointer-events", "none"}});
  svg.close();
}

}  // namespace

const char* colour_of_group(int group) {
  static constexpr std::array colours = {"#cfe3fb", "#fde2b4", "#cdeccd", "#f6cfdd",
                                         "#ddd3f5", "#c6ecea", "#f0efb6", "#e3d6c8"};
  return colours[std::size_t(group) % colours.size()];
}

std::string draw_operators(const std::vector<OperatorNode>& nodes,
                           const std::vector<OperatorEdge>& edges, const std::string& title) {
  std::vector<int> widths;
  std::vector<LayeredEdge> joined;
  for (const OperatorNode& node : nodes)
    widths.push_back(text_width(label_of(node)) + 2 * node_padding);
  for (const OperatorEdge& edge : edges) joined.push_back({edge.from, edge.to});
  const LayeredGraph graph = layered(widths, joined);
  Svg svg;
  svg.open({{"transform", "translate(" + std::to_string(picture_margin) + " " +
                              std::to_string(picture_margin) + ")"}});
  for (std::size_t k = 0; k < edges.size(); ++k) draw_edge(svg, edges[k], graph.ways[k]);
  for (std::size_t n = 0; n < nodes.size(); ++n) draw_node(svg, nodes[n], graph.nodes[n]);
  svg.close();
  return svg.picture(graph.width + 2 * picture_margin, graph.height + 2 * picture_margin, title);
}

}  // namespace strata
