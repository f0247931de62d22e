// Arrays as arguments of extern calls.
#pragma once

#include <string>
#include <vector>

#include "codegen/halide/emit/scope.h"

namespace strata::halide {

// One dimension of an array: lower <= index < lower + extent, with "stride" elements from one
// index to the next; all int64.
struct Extent {
  HExpr lower, extent, stride;
};

// A halide_buffer_t* on the stack of the caller. It describes the array in "buffer" whose first
// element is at "position"; its dimension 0 is the last index. The numbers are truncated to the 32
// bits of its fields.
HExpr descriptor(const BufferView& buffer, const HExpr& position, const std::vector<Extent>& shape);

// The same without elements: it has neither host nor device memory.
HExpr descriptor_of_nothing(Type type, const std::vector<Extent>& shape);

}  // namespace strata::halide
