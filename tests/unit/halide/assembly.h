// The machine code of a kernel for one target.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/unit/halide/kernels.h"

namespace strata::test {

// Counts the lines of the kernel's assembly, by default for AVX2 with FMA, that match a pattern.
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

  int count(const std::string& pattern) const {
    const std::regex regex("^\\s+" + pattern);
    int found = 0;
    for (const std::string& line : lines_) found += std::regex_search(line, regex);
    return found;
  }

 private:
  std::vector<std::string> lines_;
};

}  // namespace strata::test
