// The lines of the loop tree's text, and what each is about.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

struct TreeLine {
  // The statement whose head the line is, a part of the kernel; none for other lines.
  using About =
      std::variant<std::monostate, const For*, const Execute*, const Allocate*, const Launch*>;

  std::size_t depth;
  std::string text;
  About about = {};
};

// The lines of to_c_text (codegen/tree/loop_tree.h).
std::vector<TreeLine> lines_of(const Kernel& kernel);

}  // namespace strata
