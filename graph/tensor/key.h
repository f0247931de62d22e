// One text for each computation, whatever its parts are called.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/tensor/tensor.h"

namespace strata::graph {

// The text of what the tensors compute from their placeholders: a line for each operation, and
// for each different expression in it.  Tensors, iterators and symbols are numbered by their first
// occurrence, dims are in normal form, and constants are given by their bits.  So two lists of
// tensors have equal texts if and only if one becomes the other by other names; then they need one
// kernel.  An external function is only equal to itself.
std::string key(const std::vector<Tensor>& tensors);

// The hash (FNV-1a) of a text, the same in every process.
std::uint64_t hash_of(const std::string& text);

}  // namespace strata::graph
