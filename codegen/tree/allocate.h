// Allocations in the loop tree.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "layers/layout.h"

namespace strata {

// Most bytes of a buffer that the author has put on the stack.
inline constexpr std::int64_t largest_requested_on_stack = 1024 * 1024;
// Most bytes of local memory that a thread of a GPU has for one buffer; CUDA has 512 KiB for all.
inline constexpr std::int64_t largest_local = 256 * 1024;

// E0308 if the buffer, which is allocated outside of all launches, is to be in memory that only the
// inside of one has, or in constant memory.
void require_outside_memory(const LayoutBuffer& buffer, const Request& request);

// "body" inside an allocation of the buffer. The box of the places touched has these origins and
// extents; extents given by the author replace the computed ones, which must fit into them. E0308
// if they do not or it is not known, or if a buffer on the stack, in shared or in local memory has
// no constant size or is too large. "packed" is that of Allocate.
StmtPtr allocated(const LayoutBuffer& buffer, std::vector<Expr> lowers, std::vector<Expr> extents,
                  const StmtPtr& body, const Request& request, std::vector<Packing> packed = {});

}  // namespace strata
