#include "codegen/c/captured.h"

#include <cctype>

namespace strata::c {

std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else {
      words.insert(word);
      word.clear();
    }
  }
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
