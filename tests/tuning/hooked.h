// Candidates of tune that are planted.
#pragma once

#include <strata/tune.h>

#include "tuning/hooks.h"

namespace strata::test {

// tune's hooks, until the end of the test.
struct Hooked {
  Hooked() = default;
  Hooked(const Hooked&) = delete;
  Hooked& operator=(const Hooked&) = delete;
  ~Hooked() { tuning::hooks() = {}; }

  tuning::Hooks* operator->() const { return &tuning::hooks(); }
};

// The number of lines of a file.
std::vector<std::string> lines_of(const std::string& path);
void write_file(const std::string& path, const std::string& text);

// A product of 96 x 96 on one thread, which compiles within half a second: many candidates.
TuneOptions small_product(std::size_t candidates, const std::string& log = "");

// Waits up to two seconds until this process has no child.
bool has_no_child();

}  // namespace strata::test
