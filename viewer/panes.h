// The parts of a page, as HTML. Each function of a Page returns a pane: a part of its own that
// unfolds, or nothing if the page has nothing to say there.
#pragma once

#include <string>

#include "viewer/marks.h"
#include "viewer/page.h"

namespace strata::viewer {

// A pane: "title" is plain text, "content" HTML.
std::string pane(const std::string& name, const std::string& title, const std::string& content,
                 bool open = false);

// All panes of a page, in two columns.
std::string panes_of(const Page& page);

// The program whose layers are shown: the finished one, if there is one.
const Program& shown(const Page& page);

std::string refusal_pane(const Page& page, const Marks& marks);
std::string algorithm_pane(const Page& page, const Marks& marks);  // layer I
std::string boxes_pane(const Page& page, const Marks& marks);      // layer II, as nested boxes
std::string schedule_pane(const Page& page, const Marks& marks);   // layer II, as relations
std::string storage_pane(const Page& page, const Marks& marks);    // layer III
std::string movement_pane(const Page& page, const Marks& marks);   // layer IV
std::string loops_pane(const Page& page, const Marks& marks);      // the loop tree
std::string assembly_pane(const Page& page, const Marks& marks);   // of inner loops
std::string history_pane(const Page& page, const Marks& marks);    // the commands, step by step
std::string remarks_pane(const Page& page, const Marks& marks);
std::string profile_pane(const Page& page, const Marks& marks);

}  // namespace strata::viewer
