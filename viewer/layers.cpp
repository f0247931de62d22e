// The layers of a program as text and relations.
#include <algorithm>
#include <sstream>

#include "core/sets/relation_text.h"
#include "layers/flow/communication.h"
#include "layers/text/text.h"
#include "viewer/html.h"
#include "viewer/panes.h"

namespace strata::viewer {

namespace {

// The second word of a line: "by" of "computation by of by float32 (k, w)".
std::string second_word(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word >> word;
  return word;
}

bool begins(const std::string& line, const std::string& word) {
  return line.compare(0, word.size(), word) == 0;
}

// The marks of a line that is about a computation, an input or a buffer.
std::string marks_of_line(const std::string& line, const Marks& marks) {
  if (begins(line, "computation ") || begins(line, "run "))
    return marks.of_computation(second_word(line));
  if (begins(line, "input ")) return marks.of_value(second_word(line));
  if (begins(line, "buffer ")) return marks.of_buffer(second_word(line));
  return "";
}

// Lines of a program's text; the names of computations, inputs and buffers are marked. "loops" are
// the marks of its lines that begin a loop.
std::string linked_lines(const std::string& text, const Marks& marks, Marks::Names names,
                         const std::vector<std::string>& loops = {}) {
  std::istringstream lines(text);
  std::string html;
  auto next = loops.begin();
  for (std::string line; std::getline(lines, line);) {
    const std::string indent(std::min(line.find_first_not_of(' '), line.size()), ' ');
    line.erase(0, indent.size());
    const bool loop = begins(line, "loop ") && next != loops.end();
    const std::string about = loop ? *next++ : marks_of_line(line, marks);
    const std::string content = marks.linked(line, names);
    html += indent + (about.empty() ? content : element("b", "", about, content)) + "\n";
  }
  return element("pre", "", "", html);
}

// Adds the marks of all loops, in the order of the text.
void add_loops(const std::vector<Node>& nodes, const Marks& marks,
               std::vector<std::string>& found) {
  for (const Node& node : nodes) {
    if (!node.is_loop()) continue;
    found.push_back(marks.of_loop(node));
    add_loops(node.loop().body, marks, found);
  }
}

// { S[i] -> [b0, t0, ..] } of each branch.
std::string times(const Mapping& mapping, const Marks& marks) {
  std::string html;
  for (const Placed& placed : branches(mapping)) {
    const std::string name = name_of(*placed.branch);
    html += element("b", "", marks.of_computation(placed.branch->definition), escaped(name)) +
            "  " + marks.linked(canonical_text(theta(placed)), Marks::Names::values) + "\n";
  }
  return element("pre", "", "", html);
}

}  // namespace

const Program& shown(const Page& page) { return page.ready ? *page.ready : page.program; }

std::string algorithm_pane(const Page& page, const Marks& marks) {
  const TextParts parts = parts_of(shown(page));
  return pane("algorithm", "Layer I: the algorithm",
              linked_lines(parts.algorithm, marks, Marks::Names::values));
}

std::string schedule_pane(const Page& page, const Marks& marks) {
  const TextParts parts = parts_of(shown(page));
  std::vector<std::string> loops;
  add_loops(shown(page).mapping.roots, marks, loops);
  return pane("schedule", "Layer II: times",
              times(shown(page).mapping, marks) +
                  folded("", "with the loops, as text that parses back",
                         linked_lines(parts.schedule, marks, Marks::Names::values, loops)));
}

std::string storage_pane(const Page& page, const Marks& marks) {
  const TextParts parts = parts_of(shown(page));
  const std::string note = page.ready ? "" : "<p>Arrays without a store_in are not listed.</p>";
  return pane("storage", "Layer III: buffers, and where values are stored",
              note + linked_lines(parts.layout, marks, Marks::Names::both));
}

std::string movement_pane(const Page& page, const Marks& marks) {
  if (!page.ready) return "";
  const std::string text = to_text(communication_of(*page.ready));
  if (text.empty())
    return pane("movement", "Layer IV: what moves",
                "<p>Nothing is allocated, copied or freed.</p>");
  return pane("movement", "Layer IV: allocations and copies",
              linked_lines(text, marks, Marks::Names::both));
}

}  // namespace strata::viewer
