// The parts of a page about a program of operators.
#pragma once

#include <string>

#include "viewer/module_page.h"

namespace strata::viewer {

std::string graph_pane(const ModulePage& page);
std::string program_pane(const ModulePage& page);
std::string dominators_pane(const ModulePage& page);
std::string groups_pane(const ModulePage& page);
std::string passes_pane(const ModulePage& page);
// The lines that only one of the programs has.
std::string difference_pane(const ModulePage& before, const ModulePage& after);

// The element <name> of a line, with its marks.
std::string line_html(const std::string& name, const ModulePage::Line& line);
std::string tree_html(const std::vector<ModulePage::Tree>& trees);

}  // namespace strata::viewer
