// Allocations in the loop tree.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "layers/layout.h"

namespace strata {

// Bytes that a buffer put on the stack by its author may have.
inline constexpr std::int64_t largest_asked_on_stack = 1024 * 1024;

// "body" in an allocation of the buffer, whose places touched lie in the box of these origins and
// extents.  The extents that the author gave replace those, which must fit into them.
// E0308 where they do not or nobody knows, and where a buffer on the stack has no constant size or
// too large a one.
StmtPtr allocated(const LayoutBuffer& buffer, std::vector<Expr> lowers, std::vector<Expr> extents,
                  const StmtPtr& body, const Request& request);

}  // namespace strata
