// From nests to the loop tree, by isl's AST generation.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "codegen/loop_tree.h"
#include "codegen/nest.h"

namespace strata {

// What stands for an instance S[i] in the loop tree.
using MakeExecution =
    std::function<Execute(const Definition& definition, const std::vector<Expr>& instance)>;

// The loop tree that enumerates exactly the points of "nests".  A loop of the tree bears the name
// and the processor of the loop of the Mapping that its branches have at its depth, which isl
// tells by the iterator's name: loops of one iteration get no node, so nodes are never counted.
// Variables are named like their loops, numbered where a name is used twice or in "taken".
// Null where nothing runs.
StmtPtr loop_tree(const std::vector<Nest>& nests, const TimeSpace& space,
                  std::set<std::string> taken, const MakeExecution& make_execution,
                  const Request& request);

}  // namespace strata
