// Puts computes into their readers.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "graph/operator/layout.h"
#include "graph/tensor/tensor.h"

namespace strata::graph {

// Does the operation compute one value, other than by a reduction of a tuple?
bool is_inlinable(const Operation& op);

// Tensors with the same values. A compute that reads a tensor of one of the "parts" computes that
// element instead. Parts must be inlinable. A part that is a reduction may be read only where its
// element is the whole value. This simplifies quotients and remainders by the ranges of iterators:
// (16 i + j) / 16 -> i for 0 <= j < 16.
//
// The results of operations in "layouts", which must be inlinable and not among the parts, are
// stored by these layouts, and read there.
std::vector<Tensor> inlined(const std::vector<Tensor>& tensors,
                            const std::set<const Operation*>& parts,
                            const std::map<const Operation*, Layout>& layouts = {});

}  // namespace strata::graph
