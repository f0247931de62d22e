// What is known beside the layers: a refusal, remarks, a profile.
#include <sstream>

#include "viewer/drawing/refusal.h"
#include "viewer/html.h"
#include "viewer/panes.h"

namespace strata::viewer {

std::string refusal_pane(const Page& page, const Marks& marks) {
  if (!page.refusal) return "";
  return pane("refusal", "Refused: " + to_string(page.refusal->code),
              element("pre", "", "", marks.linked(render(*page.refusal), Marks::Names::both)) +
                  draw_witness(page.program, *page.refusal),
              true);
}

std::string remarks_pane(const Page& page, const Marks& marks) {
  std::string html;
  for (const Remark& remark : page.remarks) {
    std::string own = marks.of_computation(remark.computation);
    if (!remark.loop.empty()) own = marks.of_loop({remark.computation}, remark.loop);
    html += element("li", "", "",
                    element("b", "", own, escaped(remark.kind)) +
                        element("pre", "", "", escaped(render(remark))));
  }
  return html.empty() ? "" : pane("remarks", "Remarks", element("ul", "", "", html));
}

namespace {

// The marks of a row "g: sums, inputs   300  ..": the loop of these computations.
std::string marks_of_row(const std::string& row, const Marks& marks) {
  const auto colon = row.find(": "), end = row.find("  ");
  if (colon == std::string::npos || colon > end) return "";
  std::istringstream names(row.substr(colon + 2, end - colon - 2));
  std::set<std::string> owners;
  for (std::string name; names >> name;) {
    if (name.back() == ',') name.pop_back();
    owners.insert(name);
  }
  return marks.of_loop(owners, row.substr(0, colon));
}

}  // namespace

std::string profile_pane(const Page& page, const Marks& marks) {
  std::istringstream rows(page.profile);
  std::string html;
  for (std::string row; std::getline(rows, row);) {
    const std::string own = marks_of_row(row, marks);
    html += (own.empty() ? escaped(row) : element("b", "", own, escaped(row))) + "\n";
  }
  return html.empty() ? "" : pane("profile", "Profile", element("pre", "", "", html));
}

}  // namespace strata::viewer
