// Texts in JSON.
#pragma once

#include <string>
#include <vector>

namespace strata {

// In quotes, with quotes, backslashes and control characters escaped (RFC 8259, section 7); UTF-8
// stays as it is.
std::string in_json(const std::string& text);
std::string in_json(const std::vector<std::string>& texts);

}  // namespace strata
