#include "graph/library/c_names.h"

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
