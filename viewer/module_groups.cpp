// The groups of a program of operators, with what their kernels compute.
#include "viewer/html.h"
#include "viewer/module_panes.h"
#include "viewer/panes.h"

namespace strata::viewer {

namespace {

// Operators of one group share a colour, also in the picture. The number says it, too.
std::string number_html(int number) {
  return std::string("<span class=\"colour\" style=\"background:") + colour_of_group(number) +
         "\">" + std::to_string(number) + "</span>";
}

std::string edges_html(const ModulePage::Group& group) {
  std::string html;
  for (const ModulePage::Line& edge : group.edges) html += line_html("li", edge) + "\n";
  return html.empty() ? "" : element("h3", "", "", "Edges") + element("ul", "edges", "", html);
}

std::string why_html(const ModulePage::Group& group) {
  std::string text;
  for (const std::string& line : group.why) text += line + "\n";
  return text.empty() ? ""
                      : element("h3", "", "", "Kernels") + element("pre", "why", "", escaped(text));
}

std::string operation_html(const ModulePage::Operation& operation) {
  std::string reads;
  for (const std::string& tensor : operation.reads)
    reads += (reads.empty() ? "reads " : ", ") + tensor;
  return folded(
      "operation", element("code", "", "", escaped(operation.head)),
      (reads.empty() ? "" : element("p", "", "", escaped(reads))) + tree_html(operation.body));
}

// "scope" is the name of its own for the marks of the kernel's page.
std::string kernel_html(const ModulePage::Kernel& kernel, const std::string& scope) {
  const std::string content =
      kernel.page ? panes_of(*kernel.page) : element("pre", "", "", escaped(kernel.why));
  return folded("kernel", escaped(kernel.title),
                "<article data-scope=\"" + scope + "\">" + content + "</article>");
}

std::string group_html(const ModulePage::Group& group, int number) {
  std::string html = edges_html(group) + why_html(group);
  if (group.same_as)
    html += "<p class=\"same\">Computes the same as group " + number_html(*group.same_as) + "</p>";
  if (!group.operations.empty()) html += element("h3", "", "", "Operations");
  for (const ModulePage::Operation& operation : group.operations) html += operation_html(operation);
  for (std::size_t k = 0; k < group.kernels.size(); ++k)
    html += kernel_html(group.kernels[k], "k" + std::to_string(number) + "." + std::to_string(k));
  const std::string mark = "g:" + std::to_string(number);
  return folded("group", number_html(number) + element("b", "", mark, escaped(group.name)), html);
}

}  // namespace

std::string groups_pane(const ModulePage& page) {
  std::string html;
  for (const ModulePage::Group& group : page.groups)
    html += group_html(group, int(&group - page.groups.data()));
  if (html.empty()) html = "<p>No operators become a kernel.</p>";
  return pane("groups", "Groups: what becomes one kernel, and why", html, true);
}

}  // namespace strata::viewer
