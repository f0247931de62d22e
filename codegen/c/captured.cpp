#include "codegen/c/captured.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace strata::c {

namespace {

// The end of the comment or of the literal that begins at "at"; "at" itself if none begins there.
std::size_t end_of_quoted(const std::string& text, std::size_t at) {
  if (text.compare(at, 2, "/*") == 0) return text.find("*/", at) + 2;
  if (text[at] != '"') return at;
  std::size_t end = at + 1;
  while (text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  return end + 1;
}

}  // namespace

std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool inside = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (inside) word += c;
    if (!inside) words.insert(std::exchange(word, {}));
    at = std::max(at + 1, end_of_quoted(text, at));
  }
  words.insert(word);
  return words;
}

std::vector<Captured> captured(const Scope& scope, const std::set<std::string>& words) {
  std::vector<Captured> all;
  for (const auto& [name, type] : scope.types)
    if (words.count(name)) all.push_back({type, name, name, ""});
  return all;
}

std::string parameters_in_c(const std::vector<Captured>& all) {
  std::string list;
  for (const Captured& one : all) list += (list.empty() ? "" : ", ") + one.type + one.name;
  return list.empty() ? "void" : list;
}

std::string values_in_c(const std::vector<Captured>& all) {
  std::string list;
  for (const Captured& one : all) list += (list.empty() ? "" : ", ") + one.value;
  return list;
}

}  // namespace strata::c
