// The calls of functions of the C library that executions make, and what statements read and write.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

using Calls = std::vector<Expr>;

bool contains(const Calls& calls, const Expr& e);

// The calls that an execution always makes, and that several executions may share. Outer calls come
// first.
Calls needed_calls(const Execute& execute);

std::set<std::string> buffers_read(const Expr& e);

// The buffers that a statement writes. Nothing if it contains a statement of any other kind.
std::optional<std::set<std::string>> buffers_written(const StmtPtr& s);

}  // namespace strata
