#include "viewer/module_page.h"

#include <map>

#include "viewer/changes.h"
#include "viewer/frame.h"
#include "viewer/html.h"
#include "viewer/module_panes.h"
#include "viewer/panes.h"

namespace strata {

namespace viewer {

std::string line_html(const std::string& name, const ModulePage::Line& line) {
  if (line.marks.empty()) return element(name, "", "", escaped(line.text));
  const std::string pick = line.pick.empty() ? "" : "\" data-pick=\"" + escaped(line.pick);
  return "<" + name + "><b data-mark=\"" + escaped(line.marks) + pick + "\">" + escaped(line.text) +
         "</b></" + name + ">";
}

std::string tree_html(const std::vector<ModulePage::Tree>& trees) {
  if (trees.empty()) return "";
  std::string html;
  for (const ModulePage::Tree& tree : trees)
    html += element("li", "", "", line_html("span", tree.line) + tree_html(tree.parts));
  return element("ul", "tree", "", html);
}

std::string graph_pane(const ModulePage& page) {
  std::string html;
  for (const ModulePage::Graph& graph : page.graphs)
    html += element("h3", "", "", escaped("@" + graph.function)) +
            draw_operators(graph.nodes, graph.edges, "The operators of @" + graph.function);
  if (html.empty()) html = "<p>The module has no dataflow block.</p>";
  return pane("graph", "Graph: operators and groups", html, true);
}

std::string program_pane(const ModulePage& page) {
  std::string html;
  for (const ModulePage::Line& line : page.program) html += line_html("span", line) + "\n";
  return pane("program", "Program", element("pre", "", "", html));
}

std::string dominators_pane(const ModulePage& page) {
  std::string html;
  for (const ModulePage::Graph& graph : page.graphs) {
    std::string rows;
    for (const ModulePage::Row& row : graph.dominators)
      rows += std::string(std::size_t(2 * row.depth), ' ') + line_html("span", row.line) + "\n";
    html += element("h3", "", "", escaped("@" + graph.function)) + element("pre", "", "", rows);
  }
  if (html.empty()) return "";
  return pane("dominators", "Post-dominators: where all uses of a value meet", html);
}

std::string passes_pane(const ModulePage& page) {
  if (page.passes.empty()) return "";
  return pane("passes", "Passes", element("pre", "", "", escaped(page.passes)));
}

std::string difference_pane(const ModulePage& before, const ModulePage& after) {
  const auto lines_of = [](const ModulePage& page) {
    Lines lines;
    for (const ModulePage::Line& line : page.program) lines.push_back(line.text);
    return lines;
  };
  std::string html;
  for (const Change& change : changes(lines_of(before), lines_of(after)))
    html += element(change.kind == '-' ? "del" : "ins", "", "",
                    escaped(change.kind + (" " + change.line))) +
            "\n";
  html = html.empty() ? "<p>The programs have the same text.</p>" : element("pre", "", "", html);
  return pane("difference", "Difference", html, true);
}

}  // namespace viewer

namespace {

const std::string invitation = "Choose an operator or a group to mark it everywhere.";

std::map<std::string, std::string> titles_of(const ModulePage& page) {
  std::map<std::string, std::string> titles;
  for (const ModulePage::Graph& graph : page.graphs)
    for (const OperatorNode& node : graph.nodes) titles[node.mark] = node.title;
  return titles;
}

// Marks nodes that the other page lacks, or has with another definition.
ModulePage compared(ModulePage page, const ModulePage& other) {
  const std::map<std::string, std::string> titles = titles_of(other);
  for (ModulePage::Graph& graph : page.graphs)
    for (OperatorNode& node : graph.nodes) {
      if (node.mark.empty()) continue;
      const auto found = titles.find(node.mark);
      if (found == titles.end())
        node.difference = Difference::missing;
      else if (found->second != node.title)
        node.difference = Difference::changed;
    }
  return page;
}

std::string side(const ModulePage& page, const ModulePage& other, const std::string& title) {
  using namespace viewer;
  const ModulePage shown = compared(page, other);
  return "<div class=\"column " + title + "\"><h2>" + title + "</h2>" + graph_pane(shown) +
         program_pane(shown) + dominators_pane(shown) + passes_pane(shown) + "</div>";
}

}  // namespace

std::string to_html(const ModulePage& page) {
  using namespace viewer;
  const std::string left = graph_pane(page) + program_pane(page) + dominators_pane(page);
  const std::string right = groups_pane(page) + passes_pane(page);
  return framed(page.name, invitation,
                element("div", "column", "", left) + element("div", "column", "", right));
}

std::string to_html(const ModulePage& before, const ModulePage& after) {
  using namespace viewer;
  return framed(before.name, invitation,
                difference_pane(before, after) + side(before, after, "before") +
                    side(after, before, "after"));
}

}  // namespace strata
