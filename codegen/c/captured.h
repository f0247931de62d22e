// What a function of its own for some loops takes from the function around them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "codegen/c/scope.h"

namespace strata::c {

struct Captured {
  std::string type, name;   // as a parameter and as a member
  std::string value, note;  // outside; the note that it is the address of, or ""
};

// The words of a text in C, apart from comments and literals.
std::set<std::string> words_of(const std::string& text);

// The variables of a scope that have such names, without notes.
std::vector<Captured> captured(const Scope& scope, const std::set<std::string>& words);

// "int64_t N, float *restrict a" or "void", and "N, a" or "".
std::string parameters_in_c(const std::vector<Captured>& all);
std::string values_in_c(const std::vector<Captured>& all);

}  // namespace strata::c
