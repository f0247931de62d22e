// One text for each computation, whatever its parts are called.
#pragma once

#include <string>
#include <vector>

#include "graph/tensor/tensor.h"

namespace strata::graph {

// The text of what the tensors compute from their placeholders: a line for each operation, and for
// each different expression in it. Tensors, iterators and symbols are numbered by their first
// occurrence, dims are in normal form, and constants are given by their bits. So two lists of
// tensors have equal texts exactly if they differ only in names; then they need only one kernel. An
// external function is only equal to itself.
std::string key(const std::vector<Tensor>& tensors);

// The text, and the names of the symbols that it numbers, in order. If two keys have equal texts,
// replacing each symbol by the one at the same place in the other key turns one computation into
// the other.
struct Key {
  std::string text;
  std::vector<std::string> symbols;
};
// The key of the tensors, with the "given" tensors as data from outside, whatever makes them.
Key key_of(const std::vector<Tensor>& tensors, const std::vector<Tensor>& given = {});

}  // namespace strata::graph
