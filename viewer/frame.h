// What every page has around its panes.
#pragma once

#include <string>

namespace strata::viewer {

// A whole page. "title" and "invitation", which says what can be chosen, are plain text, "main" is
// HTML.
std::string framed(const std::string& title, const std::string& invitation,
                   const std::string& main);

}  // namespace strata::viewer
