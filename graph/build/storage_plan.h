// Which arrays share storages.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "graph/dim/dim.h"

namespace strata::graph {

struct PlannedArray {
  Expr bytes;
  std::string element;      // arrays of other types share nothing
  std::size_t first, last;  // when it is made, and used last
  std::size_t known = 0;    // when its size is known
};

struct StoragePlan {
  struct Storage {
    Expr bytes;
    std::string element;
  };
  std::vector<Storage> storages = {};
  std::vector<std::size_t> storage_of = {};  // of each array
};

// Arrays are in the order in which they are made. One of s bytes gets, of the storages that are
// free then,
//   - the smallest of s to 16 s bytes, among equal ones the one that has been free the longest,
//   - else the largest of s / 16 bytes or more, which grows to s,
//   - else a new one.
// A size with symbols is that of a storage with the same normal form, and of no other. An array
// without a use has a storage of its own.
StoragePlan plan_storages(const std::vector<PlannedArray>& arrays);

}  // namespace strata::graph
