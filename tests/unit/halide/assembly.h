// The machine code of a kernel for one target.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "codegen/halide/product/compile.h"
#include "tests/unit/entry/kernels.h"

namespace strata::test {

// The kernel's assembly, by default for AVX2 with FMA.
class Assembly {
 public:
  explicit Assembly(const Kernel& kernel,
                    const std::string& target = "x86-64-linux-sse41-avx-avx2-f16c-fma") {
    std::string file = (std::filesystem::temp_directory_path() / "strata-vector-XXXXXX").string();
    close(mkstemp(file.data()));
    compile({kernel}, target, {"", "", file, ""});
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) lines_.push_back(line);
    std::filesystem::remove(file);
  }

  // The lines that match a pattern.
  int count(const std::string& pattern) const { return count_in(lines_, pattern); }

  // Those in the loop without loops and branches inside that has most lines with "most".
  int count_in_loop(const std::string& most, const std::string& pattern) const {
    int largest = 0, found = 0;
    for (std::size_t n = 0; n < lines_.size(); ++n) {
      const std::vector<std::string> loop = loop_from(n);
      const int size = count_in(loop, most);
      if (size <= largest) continue;
      largest = size;
      found = count_in(loop, pattern);
    }
    return found;
  }

 private:
  static int count_in(const std::vector<std::string>& lines, const std::string& pattern) {
    const std::regex regex("^\\s+" + pattern);
    return int(std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
      return std::regex_search(line, regex);
    }));
  }

  // From a label to a jump back to it, if no other label is between.
  std::vector<std::string> loop_from(std::size_t first) const {
    const std::regex label("^(\\.L\\w+):.*");
    std::smatch name;
    if (!std::regex_match(lines_[first], name, label)) return {};
    const std::regex jump("^\\s+j\\w+\\s+\\" + name[1].str() + "$");
    std::vector<std::string> loop;
    for (std::size_t n = first + 1; n < lines_.size(); ++n) {
      if (std::regex_match(lines_[n], label)) return {};
      loop.push_back(lines_[n]);
      if (std::regex_match(lines_[n], jump)) return loop;
    }
    return {};
  }

  std::vector<std::string> lines_;
};

}  // namespace strata::test
