// New names for variables and buffers of a loop tree.
#pragma once

#include <set>
#include <string>

#include "codegen/tree/loop_tree.h"

namespace strata {

class TreeNames {
 public:
  // The names in a kernel, in any of its bodies, are taken.
  explicit TreeNames(const Kernel& kernel);

  // "stem" or, if it is taken, "stem_1", "stem_2", ..; taken from now on.
  std::string fresh(const std::string& stem);

 private:
  void add(const StmtPtr& stmt);

  std::set<std::string> taken_;
};

// Adds the variables of the loops in a statement.
void add_variables(const Stmt& stmt, std::set<std::string>& variables);

}  // namespace strata
