// What the branches of a program run and touch, in numbers, for given sizes and at the middle
// iteration of each loop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "automatic/facts/quasi_affine.h"
#include "layers/program.h"

namespace strata::automatic {

// Where accesses are: elements of arrays, X[e], or places of buffers, b[x].
enum class Touching { elements, places };

constexpr std::int64_t most_dense_stride = 4;

// An access of a branch. Near the middle iteration t it is at + sum_l (t_l - middle_l) along[l].
// For places, loops inside of l whose first iteration depends on l move along with it.
struct Access {
  std::string array;   // or a component's name
  std::string buffer;  // where it is stored
  std::int64_t bytes = 0;
  bool write = false;
  bool known = true;  // false: an index depends on data
  Point at = {};
  std::vector<Point> along = {};  // by loop

  bool is_invariant(std::size_t loop) const;
  // Does it move by one element of the last dimension, in either direction?
  bool is_contiguous(std::size_t loop) const;
  // Moves along the last dimension alone, by n elements: few vectors hold what lanes read. 0: not
  // so, or by more than "most_dense_stride".
  std::int64_t dense_stride(std::size_t loop) const;
  // The first dimension that grows by one with the loop, and with no other loop.
  std::optional<std::size_t> dimension_along(std::size_t loop) const;
};

struct Statement {
  const Definition* definition = nullptr;
  const Branch* branch = nullptr;
  Path path = {};
  std::vector<const Loop*> loops = {};    // outermost first
  std::vector<std::int64_t> counts = {};  // iterations, in the middle of the loops around
  std::vector<Access> accesses = {};      // the write first, then the reads as they are written

  const Access& write() const { return accesses.front(); }
  // The product of the counts of the loops from "first" to before "last".
  double iterations(std::size_t first, std::size_t last) const;
};

// The branch in numbers. Nothing if one of its loops has no bounds for these sizes, or if it runs
// no instance.
std::optional<Statement> statement_of(const Program& program, const Placed& placed,
                                      const Values& sizes, Touching touching);

// The given sizes, and for other parameters the first of 1000, 1024, 960, .., 1 with which the
// assumptions hold. Nothing if there is none.
std::optional<Values> sizes_for(const Program& program, const Values& given);

}  // namespace strata::automatic
