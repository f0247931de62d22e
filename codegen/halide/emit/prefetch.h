// Prefetches of boxes.
#pragma once

#include <string>
#include <vector>

#include "codegen/halide/emit/scope.h"

namespace strata::halide {

// Prefetches the cache lines of the box of these origins and extents, one by one: the lines of each
// row along the last dimension, counted from its first element. A few are written out; more are
// loops, whose variables begin with "name".
HStmt prefetch(const BufferView& buffer, const std::vector<HExpr>& lowers,
               const std::vector<HExpr>& extents, const std::string& name);

// Bytes of one prefetch, and the most prefetches that are written out.
inline constexpr int bytes_of_line = 64;
inline constexpr std::int64_t most_prefetches_written_out = 16;

}  // namespace strata::halide
