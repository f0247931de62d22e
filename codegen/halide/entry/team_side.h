// The part of a kernel that all ranks of a team do together: they begin, agree and end.
#pragma once

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

inline bool is_on_ranks(const Kernel& kernel) { return !kernel.partitions.empty(); }

// The name of the cuts as an argument.
std::string symbol_of_partition(const std::string& name);

// "body" with the cuts as the team has them, and with the bounds of this rank's blocks as
// parameters.
HStmt with_block_bounds(const Kernel& kernel, const HStmt& body);

// Tells the team the value of this parameter before "body"; the ranks will agree on it.
HStmt with_size_told(const Kernel& kernel, const SizeRead& size, const HStmt& body);

// The body of int NAME(team, ..): enters the team, runs "inner" if that succeeds, and leaves the
// team with the resulting code.
HStmt entering_body(const Kernel& kernel, const HExpr& inner);

}  // namespace strata::halide
