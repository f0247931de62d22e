// What differs between two texts.
#pragma once

#include <string>
#include <vector>

namespace strata::viewer {

using Lines = std::vector<std::string>;

struct Change {
  char kind;  // '-' removed, '+' added
  std::string line;
};

// The changes from a to b: lines outside of a longest common subsequence. Of texts that differ in
// more than some 5000 lines, all lines between the first and the last difference.
std::vector<Change> changes(const Lines& a, const Lines& b);

}  // namespace strata::viewer
