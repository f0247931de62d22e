// Pieces of HTML, as text.
#pragma once

#include <string>

namespace strata::viewer {

// The text as HTML shows it, also between double quotes.
std::string escaped(const std::string& text);

// <name data-mark="marks" class="kind">content</name>; no attribute for empty marks or kind.
std::string element(const std::string& name, const std::string& kind, const std::string& marks,
                    const std::string& content);

// A part that unfolds: "head" and "content" are HTML.
std::string folded(const std::string& kind, const std::string& head, const std::string& content,
                   bool open = false);

}  // namespace strata::viewer
