// Names for the variables of a function.
#pragma once

#include <string>

#include "graph/ir/module.h"
#include "graph/ir/table.h"

namespace strata::graph {

class VariableNames {
 public:
  explicit VariableNames(const GraphFunction& function);

  // False if a variable has the name already.
  bool add(const std::string& name) { return counts_.add(name, 0).value++ == 0; }
  int count(const std::string& name) const {
    const int* count = counts_.find(name);
    return count ? *count : 0;
  }
  // The name, or name_1, .., which no variable has; it is added.
  std::string fresh(const std::string& wanted);

 private:
  Table<std::string, int> counts_ = {};
};

}  // namespace strata::graph
