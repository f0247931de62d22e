// The loop tree, line by line, and the machine code of its inner loops.
#include <map>

#include "codegen/tree/c_text.h"
#include "viewer/assembly.h"
#include "viewer/html.h"
#include "viewer/panes.h"

namespace strata::viewer {

namespace {

// What a loop of a body is to a page.
struct TreeLoop {
  std::string own;     // its marks
  std::string inside;  // those of vector and unrolled loops inside, and of what is computed there
};
using TreeLoops = std::map<std::string, TreeLoop>;  // by variable

void add_computations(const Stmt& stmt, std::set<std::string>& names) {
  if (const auto* one = std::get_if<Execute>(&stmt))
    if (!one->computation.empty()) names.insert(one->computation);
  for_each_inside(stmt, [&](const StmtPtr& inside) { add_computations(*inside, names); });
}

std::string marks_of(const For& loop, const Marks& marks) {
  std::set<std::string> names;
  add_computations(*loop.body, names);
  std::string all = "v:" + loop.variable;
  add_mark(all, marks.of_loop(names, loop.name));
  return all;
}

// The marks of loops that the machine code does not have as loops, and of computations.
void add_inside(const Stmt& stmt, const Marks& marks, std::set<std::string>& found) {
  if (const auto* one = std::get_if<Execute>(&stmt))
    if (!one->computation.empty()) found.insert(marks.of_computation(one->computation));
  if (const auto* loop = std::get_if<For>(&stmt)) found.insert(marks_of(*loop, marks));
  for_each_inside(stmt, [&](const StmtPtr& inside) { add_inside(*inside, marks, found); });
}

void add_loops(const Stmt& stmt, const Marks& marks, TreeLoops& loops) {
  if (const auto* loop = std::get_if<For>(&stmt)) {
    std::set<std::string> found;
    add_inside(*loop->body, marks, found);
    TreeLoop& made = loops[loop->variable];
    made.own = marks_of(*loop, marks);
    for (const std::string& mark : found) add_mark(made.inside, mark);
  }
  for_each_inside(stmt, [&](const StmtPtr& inside) { add_loops(*inside, marks, loops); });
}

TreeLoops loops_of(const StmtPtr& body, const Marks& marks) {
  TreeLoops loops;
  if (body) add_loops(*body, marks, loops);
  return loops;
}

std::string line_html(const TreeLine& line, const Marks& marks) {
  std::string own;
  if (const auto* loop = std::get_if<const For*>(&line.about)) own = marks_of(**loop, marks);
  if (const auto* one = std::get_if<const Execute*>(&line.about))
    if (!(*one)->computation.empty()) own = marks.of_computation((*one)->computation);
  if (const auto* one = std::get_if<const Allocate*>(&line.about))
    own = marks.of_buffer((*one)->buffer);
  const std::string text = marks.linked(line.text, Marks::Names::buffers);
  return std::string(2 * line.depth, ' ') + (own.empty() ? text : element("b", "", own, text)) +
         "\n";
}

// The loop of the tree that a loop of machine code is, and in which of the two bodies.
struct Origin {
  const TreeLoop* loop = nullptr;
  std::string text;
};

Origin origin_of(const AssemblyLoop& found, const TreeLoops& body, const TreeLoops& fallback) {
  const auto in_body = body.find(found.variable), in_fallback = fallback.find(found.variable);
  const bool one = in_body != body.end(), other = in_fallback != fallback.end();
  if (one && !other) return {&in_body->second, "loop " + found.variable + " of the tree"};
  if (other && !one) return {&in_fallback->second, "in the code for arguments of any strides"};
  return {nullptr, "not tied to a loop of the tree"};
}

std::string loop_html(const AssemblyLoop& found, const Origin& origin) {
  std::string lines;
  for (const std::string& line : found.lines)
    lines += (line.back() == ':' ? "" : "  ") + line + "\n";
  const std::string text = escaped(found.block + " in " + found.function);
  const std::string own = origin.loop ? origin.loop->own : "";
  std::string name = "<b>" + text + "</b>";
  if (origin.loop)
    name = "<b data-pick=\"" + escaped(own) + "\" data-mark=\"" +
           escaped(own + " " + origin.loop->inside) + "\">" + text + "</b>";
  return folded("inner", name + element("span", "tag", "", escaped(origin.text)),
                element("pre", "", "", escaped(lines)));
}

}  // namespace

std::string loops_pane(const Page& page, const Marks& marks) {
  if (!page.kernel) return "";
  std::string html;
  for (const TreeLine& line : lines_of(*page.kernel)) html += line_html(line, marks);
  return pane("loops", "Loop tree", element("pre", "", "", html));
}

std::string assembly_pane(const Page& page, const Marks& marks) {
  if (page.assembly.empty())
    return page.why_no_assembly.empty()
               ? ""
               : pane("assembly", "Machine code",
                      element("pre", "", "", escaped(page.why_no_assembly)));
  const TreeLoops body = loops_of(page.kernel->body, marks);
  const TreeLoops fallback = loops_of(page.kernel->fallback, marks);
  std::string html =
      "<p>The inner loops, as LLVM's comments tell them. A loop is tied to the tree by the name of "
      "its first block; the code of vector and unrolled loops is that of the loop around them. "
      "Where the tree has copies for full tiles, the code for arguments of any strides has other "
      "loops, which are not in the tree. Of a GPU's code it is PTX; OpenCL C is not shown.</p>\n";
  const std::vector<AssemblyLoop> all = inner_loops(page.assembly);
  if (all.empty()) html += "<p>The machine code has no loops.</p>\n";
  for (const AssemblyLoop& found : all) html += loop_html(found, origin_of(found, body, fallback));
  return pane("assembly", "Machine code of inner loops", html);
}

}  // namespace strata::viewer
