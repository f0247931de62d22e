// The style and the script of a page: page.css and page.js.
#pragma once

namespace strata::viewer {

extern const char page_css[];
extern const char page_js[];

}  // namespace strata::viewer
