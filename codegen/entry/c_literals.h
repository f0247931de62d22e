// Texts inside of C.
#pragma once

#include <string>

namespace strata {

// In quotes, for a string of C.
std::string in_quotes(const std::string& text);
// On one line of a comment of C, which "*/" would end, and in which compilers warn of "/*".
std::string in_comment(std::string text);

}  // namespace strata
