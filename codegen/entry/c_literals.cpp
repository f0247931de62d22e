#include "codegen/entry/c_literals.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata {

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\' || c == '?')
      out += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 32)
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string in_comment(std::string text) {
  for (std::size_t at = 0; (at = text.find("*/", at)) != std::string::npos;)
    text.replace(at, 2, "* /");
  for (std::size_t at = 0; (at = text.find("/*", at)) != std::string::npos;)
    text.replace(at, 2, "/ *");
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace strata
