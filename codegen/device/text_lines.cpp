#include "codegen/device/text_lines.h"

#include <cctype>

namespace strata::device {

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    lines.back() += c;
    if (c == '\n') lines.emplace_back();
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string between(const std::string& line, const std::string& from, const std::string& to) {
  const std::size_t start = line.find(from);
  if (start == std::string::npos) return "";
  const std::size_t after = start + from.size();
  return line.substr(after, line.find(to, after) - after);
}

}  // namespace strata::device
