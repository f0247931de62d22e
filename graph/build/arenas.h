// One memory for the arrays of a body.
#pragma once

#include <unordered_map>
#include <vector>

#include "graph/build/storage_plan.h"
#include "graph/builder/rewriter.h"
#include "graph/vm/arena.h"

namespace strata::graph {

// The offsets of arrays follow from their sizes and lifetimes (vm/arena.h): here, where sizes are
// numbers, else once in each call. An arena is made before the first array that none has yet, for
// all later ones whose sizes are known there.
class Arenas {
 public:
  void add(const std::vector<PlannedArray>& arrays, const std::vector<const Binding*>& makers);
  void rewrite(Rewriter& r, const Binding& b);

 private:
  struct Planned {
    std::vector<PlannedArray> arrays = {};
    Value storage = {}, plan = {};  // once they are made; no plan if offsets are numbers
    Arena constant = {};
  };
  void make(Rewriter& r, Planned& arena) const;

  std::vector<Planned> arenas_ = {};
  // The arena of a variable, and its place among the arrays there.
  std::unordered_map<const ValueNode*, std::pair<std::size_t, std::size_t>> place_of_ = {};
};

}  // namespace strata::graph
