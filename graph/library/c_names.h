// Names in C.
#pragma once

#include <set>
#include <string>

namespace strata::graph {

// Is the text an identifier of C and C++, and not a keyword?
bool is_name_of_c(const std::string& text);

// Names of one scope.
class CNames {
 public:
  explicit CNames(std::set<std::string> taken) : taken_(std::move(taken)) {}
  // The wanted text with "_" for what is not in identifiers, and a number if that is taken.
  std::string unused(const std::string& wanted);

 private:
  std::set<std::string> taken_;
};

}  // namespace strata::graph
