// The text of a device's kernels, line by line.
#pragma once

#include <string>
#include <vector>

namespace strata::device {

bool is_part_of_name(char c);
// The lines with their ends; what follows the last end is a line, too.
std::vector<std::string> lines_of(const std::string& text);
std::string joined(const std::vector<std::string>& lines);
// The text after "from" and before the next "to", or the end; "" without "from".
std::string between(const std::string& line, const std::string& from, const std::string& to);

}  // namespace strata::device
