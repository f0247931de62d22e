// The head of a loop, and what happens to it when loops are cut, merged and copied.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/tile_size.h"
#include "layers/border.h"
#include "layers/processor.h"

namespace strata {

// Each iteration of a loop asks the memory for what the instances of "definition" in the iteration
// "distance" steps later read of "array", an array of values or an input.  A hint: it is no part of
// what the program means.
struct Prefetch {
  std::string definition;
  std::string array;
  std::int64_t distance = 1;

  bool operator==(const Prefetch&) const = default;
};

// All of a loop but its body: its name; *tags*, which say how its iterations run; and *belongings*,
// which each iteration has.  A new mark is a field here and a line in the functions below.
struct LoopHead {
  std::string name;

  Processor processor = Processor::sequential;
  Border border = Border::automatic;
  // The parameter T of a loop over tiles whose size is not known before the kernel is called: the
  // times of the branches inside have x at this level, and the loop's iterator is floor(x / T).
  std::optional<std::string> tile_size = {};

  // The buffers that every iteration has for itself: its executions share places of theirs, and
  // those of other iterations do not.  Buffers that no loop lists live as long as the kernel runs.
  std::vector<std::string> allocations = {};
  std::vector<Prefetch> prefetches = {};  // at the beginning of each iteration, in order

  bool operator==(const LoopHead&) const = default;
};

// Name and tags, without belongings.
LoopHead without_belongings(const LoopHead& head);
// The same with iterations in order.
LoopHead made_sequential(const LoopHead& head);
// A loop that starts the results of reductions as "head" adds to them: by one thread, in lanes.
LoopHead starting(const LoopHead& head);

// A loop cut into strips: the loop over the strips, and the one in a strip.  Belongings are left
// out (move_belongings).
LoopHead over_strips(const LoopHead& whole, const std::string& name, const TileSize& size);
LoopHead in_strip(const LoopHead& whole, const std::string& name);

// Do both leave the same order between iterations, for all that layers/flow/order.h asks?
bool same_order(const LoopHead& a, const LoopHead& b);

// Why two loops cannot become one: what each of them is, "parallel" and "sequential", and how to
// mend it.
struct TagDifference {
  std::string a, b, mend;
};
std::optional<TagDifference> find_difference(const LoopHead& a, const LoopHead& b);

// Adds what "head" has not yet.
void add_allocations(LoopHead& head, const std::vector<std::string>& more);
void add_prefetches(LoopHead& head, const std::vector<Prefetch>& more);

// Gives "to", a band of loops that replaces the band "from", the belongings of the latter:
// - Buffers of the innermost loop go to the innermost; others to the loop in the same position, or,
//   where the number of loops changes, to the outermost, where iterations are the most.
// - Prefetches stay with the loop of the same name, if the number of loops stays; else they go to
//   the one in the same position among the last, inside the tiles.
void move_belongings(std::vector<LoopHead>& to, const std::vector<LoopHead>& from);

}  // namespace strata
