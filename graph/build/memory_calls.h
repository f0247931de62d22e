// Storages, and arrays in them.
#pragma once

#include <optional>
#include <string>

#include "graph/builder/rewriter.h"

namespace strata::graph {

// The size of a tensor of known extents.
std::optional<Expr> bytes_of(const ValueType& type);

// A variable for a storage of that many bytes: a shape of one number, or an integer.
Value emit_storage(Rewriter& r, const Value& bytes, const std::string& element);
// Binds the variable of a builtin.alloc_tensor to an array in the storage, from byte "offset" on.
void bind_array(Rewriter& r, const Binding& b, const Value& storage, const Value& offset);

}  // namespace strata::graph
