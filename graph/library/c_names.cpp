#include "graph/library/c_names.h"

#include <cstdio>

#include "codegen/entry/contract.h"

namespace strata::graph {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_name_of_c(const std::string& text) {
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text)
    if (!is_letter(c) && !is_digit(c)) return false;
  return !is_word_of_c(text);
}

std::string in_comment_of_c(std::string text) {
  for (std::size_t at = 0; (at = text.find("*/", at)) != std::string::npos;)
    text.replace(at, 2, "* /");
  for (std::size_t at = 0; (at = text.find("/*", at)) != std::string::npos;)
    text.replace(at, 2, "/ *");
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

std::string quoted_in_c(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\%03o", byte);
    quoted +=
        c == '"' || c == '\\' || c == '?' || byte < 32 || byte > 126 ? octal : std::string(1, c);
  }
  return quoted + "\"";
}

std::string CNames::unused(const std::string& wanted) {
  std::string base;
  for (const char c : wanted) base += is_letter(c) || is_digit(c) ? c : '_';
  if (base.empty() || is_digit(base[0]) || base[0] == '_') base = "v" + base;
  std::string name = base;
  for (int number = 1; !is_name_of_c(name) || !taken_.insert(name).second; ++number)
    name = base + "_" + std::to_string(number);
  return name;
}

}  // namespace strata::graph
