#include "viewer/page.h"

#include "viewer/frame.h"
#include "viewer/html.h"
#include "viewer/panes.h"
#include "viewer/resources.h"

namespace strata {

namespace viewer {

std::string pane(const std::string& name, const std::string& title, const std::string& content,
                 bool open) {
  const std::string head = element("h2", "", "", escaped(title)) + element("span", "count", "", "");
  return "<section class=\"" + name + "\">" +
         folded("pane", head, element("div", "content", "", content), open) + "</section>\n";
}

std::string panes_of(const Page& page) {
  const Marks marks(shown(page));
  const std::string left = boxes_pane(page, marks) + algorithm_pane(page, marks) +
                           schedule_pane(page, marks) + storage_pane(page, marks) +
                           movement_pane(page, marks);
  const std::string right = loops_pane(page, marks) + assembly_pane(page, marks) +
                            history_pane(page, marks) + remarks_pane(page, marks) +
                            profile_pane(page, marks);
  return refusal_pane(page, marks) + element("div", "column", "", left) +
         element("div", "column", "", right);
}

}  // namespace viewer

std::string to_html(const Page& page) {
  return viewer::framed(page.program.name,
                        "Choose a computation, a loop or a buffer to mark it everywhere.",
                        viewer::panes_of(page));
}

std::string to_html_part(const Page& page) {
  using namespace viewer;
  const Marks marks(shown(page));
  return "<style>" + std::string(page_css) + "</style>" +
         element("div", "strata", "",
                 element("h1", "", "", escaped(page.program.name)) + boxes_pane(page, marks) +
                     algorithm_pane(page, marks) + storage_pane(page, marks) +
                     history_pane(page, marks));
}

}  // namespace strata
