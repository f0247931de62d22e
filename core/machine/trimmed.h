// Texts that people write around names and values.
#pragma once

#include <string>

namespace strata {

// The text without the blanks at its ends.
inline std::string trimmed(const std::string& text, const char* blanks) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace strata
